import { allRights, type FirstRight, type Right, rights } from "./rights.ts";

const prefix = "counter:";
type Named<R> = R extends `counter:${infer Name}` ? Name : never;

/** What a cashier may do besides selling, as registers and the rows of cashiers name it: the table's rows, without `counter:`. */
export type CounterRight = Named<Right>;
type FirstCounterRight = Named<FirstRight>;

export const allCounterRights = allRights.flatMap((right) =>
  right.startsWith(prefix) ? [right.slice(prefix.length) as CounterRight] : [],
);

/** As the table of rights and the roles name it. */
export const inTable = (right: CounterRight) => `counter:${right}` as const;

/** The four that the first registers and services know; the others are stored and sent in a field of their own. */
export function isFirst(right: string): right is FirstCounterRight {
  const found = `${prefix}${right}`;
  return Object.hasOwn(rights, found) && rights[found as Right].formerly === "given";
}

/** How a cashier's rights are stored. */
export function grantedOf(all: readonly CounterRight[]): { permissions: FirstCounterRight[]; rights: CounterRight[] } {
  return { permissions: all.filter(isFirst), rights: all.filter((right) => !isFirst(right)) };
}

/** What somebody with these rights may do at a register besides selling; undefined if she does not attend at one. */
export function atCounter(held: ReadonlySet<Right>): CounterRight[] | undefined {
  return held.has("counter") ? allCounterRights.filter((right) => held.has(inTable(right))) : undefined;
}
