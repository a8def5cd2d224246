import { day } from "../../lib/clock.ts";
import { must } from "../../lib/must.ts";
import { isExhausted, isExpired, isFuture, isUsable, type NumberingRange } from "./numbering.ts";

/** `in_use` numbers the next document; `waiting` follows when that one ends; `future` has not begun to be valid. */
export type RangeState = "in_use" | "waiting" | "future" | "exhausted" | "expired";

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
  if (isFuture(range, today)) return "future";
  const first = ranges.find((one) => isSibling(one, range) && isUsable(one, today));
  return first === range ? "in_use" : "waiting";
}

/** Of the same kind and for the same place: they follow one another. */
function isSibling(a: NumberingRange, b: NumberingRange): boolean {
  const names = ["kind", "registerId", "warehouseId", "locationId"] as const;
  return names.every((name) => a[name] === b[name]);
}

/** A new authorization takes the business some days to request and receive. */
const soonDays = 30;
const fewShare = 0.1;

/** `why` is null for one that has ended. */
export type RangeEnd = RangeUse & { end: "ended" | "ending"; why: "soon" | "few" | null };

/** For each kind that needs authorization, and each place: the last range, when it has ended or soon will. */
export function rangeEnds(uses: readonly RangeUse[], today: string): RangeEnd[] {
  const soon = new Date(new Date(`${today}T00:00:00Z`).getTime() + soonDays * day).toISOString().slice(0, 10);
  const groups = Map.groupBy(
    uses.filter(({ range }) => range.kind === "pos" || range.kind === "invoice"),
    ({ range }) => `${range.kind} ${range.registerId ?? ""} ${range.warehouseId ?? ""} ${range.locationId ?? ""}`,
  );
  return [...groups.values()].flatMap((own): RangeEnd[] => {
    // One that begins later will follow: it counts, unless nothing bridges the time until then.
    const usable = own.filter(({ state }) => state === "in_use" || state === "waiting");
    const last = must((usable.length > 0 ? usable : own).at(-1), "A kind in use has a range");
    if (usable.length === 0) return [{ ...last, end: "ended", why: null }];
    const following = [...usable, ...own.filter(({ state }) => state === "future")];
    const left = following.reduce((sum, { remaining }) => sum + remaining, 0);
    const size = following.reduce((sum, { range }) => sum + range.last - range.first + 1, 0);
    if (following.every(({ range }) => isExpired(range, soon))) return [{ ...last, end: "ending", why: "soon" }];
    return left <= size * fewShare ? [{ ...last, end: "ending", why: "few" }] : [];
  });
}
