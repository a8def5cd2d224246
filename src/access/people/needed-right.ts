import type { Right } from "./rights.ts";

/** What a route or a page needs: one right, one of several, several, or only that somebody is signed in. */
export type NeededRight = "anyone" | Right | { any: readonly Right[] } | { all: readonly Right[] };

/** The rights that are missing; where one of several would do, the first stands for them. */
export function missingRights(held: ReadonlySet<string>, needed: NeededRight): Right[] {
  if (needed === "anyone") return [];
  if (typeof needed === "string") return held.has(needed) ? [] : [needed];
  if ("all" in needed) return needed.all.filter((right) => !held.has(right));
  return needed.any.some((right) => held.has(right)) ? [] : needed.any.slice(0, 1);
}

export function mayDo(held: ReadonlySet<string>, needed: NeededRight): boolean {
  return missingRights(held, needed).length === 0;
}
