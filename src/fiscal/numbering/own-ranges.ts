import { uuidv7 } from "../../lib/ids.ts";
import { must } from "../../lib/must.ts";
import { type NumberingRange, type RangeKind, servesAll } from "./numbering.ts";

/** Notes and internal documents need no authorized range: a business that set up none gets one of these prefixes. */
const prefixes: Record<RangeKind, readonly string[] | undefined> = {
  pos: undefined,
  invoice: undefined,
  note: ["NA", "NC", "NT"],
  internal: [""],
};
const lastNumber = 999_999_999;

/** Adds a range of our own when the kind needs no authorization and has none. */
export function withOwnRange(ranges: NumberingRange[], kind: RangeKind, at: Date): NumberingRange[] {
  const candidates = prefixes[kind];
  if (!candidates || ranges.some((range) => range.kind === kind && servesAll(range))) return ranges;
  const prefix =
    candidates.find((one) => !ranges.some((range) => range.prefix === one)) ??
    must(candidates[0], "A kind that needs no authorization has a prefix");
  ranges.push({
    id: uuidv7(at),
    kind,
    prefix,
    first: 1,
    last: lastNumber,
    next: 1,
    validFrom: null,
    validUntil: null,
    technicalKey: null,
    resolution: null,
    registerId: null,
    warehouseId: null,
    locationId: null,
    told: [],
    taken: new Set(),
  });
  return ranges;
}
