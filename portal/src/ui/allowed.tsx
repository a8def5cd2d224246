import type { ReactNode } from "react";
import type { NeededRight } from "../../../src/access/people/needed-right.ts";
import { useMay } from "../lib/queries.ts";

/** What only whoever has the right sees: a button that the service would refuse is not there. */
export function Allowed({ to, children }: { to: NeededRight; children: ReactNode }) {
  const may = useMay();
  return may(to) ? children : null;
}
