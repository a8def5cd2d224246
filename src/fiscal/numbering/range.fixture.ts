import type { NumberingRange } from "./numbering.ts";

/** A usable range of ten numbers, except for what a test changes. */
export const sampleRange = (fields: Partial<NumberingRange>): NumberingRange => ({
  id: "1",
  kind: "pos",
  prefix: "EPOS",
  first: 1,
  last: 10,
  next: 1,
  validFrom: null,
  validUntil: "2028-12-31",
  technicalKey: null,
  resolution: null,
  registerId: null,
  warehouseId: null,
  locationId: null,
  told: [],
  taken: new Set(),
  ...fields,
});
