import { type Advised, insteadOf } from "../../access/people/advice.ts";
import type { NeededRight } from "../../access/people/needed-right.ts";
import type { OpenFinding } from "./read-findings.ts";

/** What somebody must be allowed to do for the next step that a finding names. */
const needed: Readonly<Record<OpenFinding["kind"], NeededRight>> = {
  upload: "anyone",
  unauthorized: "cashiers",
  sale_changed: "sales:correct",
  two_documents: "sales:correct",
  number_taken: "fiscal",
  sale_without_lines: "anyone",
  acts_withheld: "registers:write",
  drawer_short: "shifts:read",
  late_sales: "anyone",
  huge_total: "registers:write",
  foreign_shift: "registers:write",
  wrong_clock: "anyone",
  sale_reduced: "registers:read",
  shift_rewritten: "registers:read",
  closed_shift: "registers:read",
  left_shift: "registers:read",
  misnamed_line: "sales:read",
  large_tip: "sales:read",
  nameless_credit: "sales:read",
  wrong_tax: "sales:correct",
};

/** Whom to ask, where the next step of such a finding is not hers. */
export const nextStepFor = (who: Advised, kind: OpenFinding["kind"]): string | undefined =>
  insteadOf(who, needed[kind]);

/** Says to whoever reads them only what she may do, and whom to ask for the rest. */
export function advised<F extends Pick<OpenFinding, "kind" | "next_step" | "can_close">>(
  findings: readonly F[],
  who: Advised,
): F[] {
  return findings.map((one) => ({
    ...one,
    next_step: nextStepFor(who, one.kind) ?? one.next_step,
    can_close: one.can_close && who.rights.has("documents:write"),
  }));
}
