import { day } from "../../lib/clock.ts";
import { findRange, isExhausted, isExpired, type NumberingRange } from "./numbering.ts";

/** `in_use` numbers the next document; `waiting` follows when that one ends. */
export type RangeState = "in_use" | "waiting" | "exhausted" | "expired";

export interface RangeUse {
  range: NumberingRange;
  state: RangeState;
  /** Unused numbers, even if it has expired. */
  remaining: number;
}

export function rangeUses(ranges: readonly NumberingRange[], today: string): RangeUse[] {
  return ranges.map((range) => ({
    range,
    state: stateOf(range, ranges, today),
    remaining: Math.max(0, range.last - range.next + 1),
  }));
}

function stateOf(range: NumberingRange, ranges: readonly NumberingRange[], today: string): RangeState {
  if (isExhausted(range)) return "exhausted";
  if (isExpired(range, today)) return "expired";
  const found = findRange(ranges, range.kind, today);
  return found.range === range ? "in_use" : "waiting";
}

/** A new authorization takes the business some days to request and receive. */
const soonDays = 30;
const fewShare = 0.1;

export type RangeEnd = RangeUse & { end: "ended" | "ending" };

/** For each kind that needs authorization: the last range, when it has ended or soon will. */
export function rangeEnds(uses: readonly RangeUse[], today: string): RangeEnd[] {
  const soon = new Date(new Date(`${today}T00:00:00Z`).getTime() + soonDays * day).toISOString().slice(0, 10);
  return (["pos", "invoice"] as const).flatMap((kind): RangeEnd[] => {
    const own = uses.filter(({ range }) => range.kind === kind);
    const usable = own.filter(({ state }) => state === "in_use" || state === "waiting");
    const last = (usable.length > 0 ? usable : own).at(-1);
    if (!last) return [];
    if (usable.length === 0) return [{ ...last, end: "ended" }];
    const left = usable.reduce((sum, { remaining }) => sum + remaining, 0);
    const size = usable.reduce((sum, { range }) => sum + range.last - range.first + 1, 0);
    const endsSoon = usable.every(({ range }) => isExpired(range, soon));
    return endsSoon || left <= size * fewShare ? [{ ...last, end: "ending" }] : [];
  });
}
