import { allCounterRights, type CounterRight, inTable, isFirst } from "../../access/people/counter-rights.ts";
import { rights as table } from "../../access/people/rights.ts";

/** What an owner may allow a cashier besides selling: the rows of the one table that are of the counter. */
export type Right = CounterRight;
export const allRights: readonly Right[] = allCounterRights;

interface Declared {
  /** Completes "puede …" and "no puede …". */
  words: string;
  /** Who could do it until an owner sets the rights. */
  formerly: "given" | "everybody" | "nobody" | { with: string };
}

function declaredOf(right: Right): Declared {
  const { words, formerly = "nobody" } = table[inTable(right)];
  return { words, formerly };
}
export const rights = Object.fromEntries(allRights.map((right) => [right, declaredOf(right)])) as Readonly<
  Record<Right, Declared>
>;

/** A cashier's rights as they are stored and travel: `rights` holds the later ones, and is missing until an owner has set them. */
export interface Granted {
  permissions: readonly string[];
  rights?: readonly string[] | null | undefined;
}

/** All that a cashier may do, in the order of the table. Until an owner sets the later rights, nobody loses what she could do. */
export function rightsOf({ permissions, rights: later }: Granted): Right[] {
  const had = ({ formerly }: Declared) =>
    formerly === "everybody" || (typeof formerly === "object" && permissions.includes(formerly.with));
  return allRights.filter((right) =>
    isFirst(right) ? permissions.includes(right) : (later?.includes(right) ?? had(rights[right])),
  );
}
