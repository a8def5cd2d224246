import { missingRights, type NeededRight } from "./needed-right.ts";
import { rights } from "./rights.ts";

/** Somebody who is told of something: what she may do, and whom she asks for the rest. */
export interface Advised {
  rights: ReadonlySet<string>;
  /** The owners, as they are called. */
  ask: readonly string[];
}

/** The next step, as far as it is hers to take; otherwise who takes it. Undefined is hers. */
export function insteadOf({ rights: held, ask }: Advised, needed: NeededRight): string | undefined {
  const [missing] = missingRights(held, needed);
  if (missing === undefined) return undefined;
  const whom = ask.length === 0 ? "quien es dueño del negocio" : ask.join(" o a ");
  return `Su rol no permite ${rights[missing].words}: avise a ${whom}.`;
}
