import { expect, test } from "vitest";
import type { NumberingRange } from "./numbering.ts";
import { sampleRange } from "./range.fixture.ts";
import { rangeEnds, rangeUses } from "./range-use.ts";

const today = "2026-11-15";
const range = (fields: Partial<NumberingRange>) => sampleRange({ id: "r", last: 100, ...fields });

test("the first usable range is in use, a later one waits, and an ended one says why", () => {
  const uses = rangeUses(
    [
      range({ next: 101 }),
      range({ validUntil: "2026-11-14" }),
      range({ next: 41 }),
      range({}),
      range({ kind: "note" }),
    ],
    today,
  );
  expect(uses.map(({ state, remaining }) => [state, remaining])).toEqual([
    ["exhausted", 0],
    ["expired", 100],
    ["in_use", 60],
    ["waiting", 100],
    ["in_use", 100],
  ]);
});

test("a range can be used until the end of its last day", () => {
  expect(rangeUses([range({ validUntil: today })], today)[0]!.state).toBe("in_use");
});

test.each([
  ["nothing for a kind that has no range", [], []],
  ["nothing while numbers and months are left", [range({})], []],
  ["ending at a tenth of the numbers", [range({ next: 91 })], [["pos", "ending"]]],
  ["ending a month ahead", [range({ validUntil: "2026-12-14" })], [["pos", "ending"]]],
  ["nothing once the next range waits", [range({ next: 91 }), range({ prefix: "EPO2" })], []],
  ["ended when none is usable", [range({ kind: "invoice", next: 101 })], [["invoice", "ended"]]],
  [
    "nothing when the next one begins before this one ends",
    [range({ next: 91 }), range({ validFrom: "2026-11-20" })],
    [],
  ],
  [
    "ending for each register that has its own",
    [range({}), range({ registerId: "a", next: 91 }), range({ registerId: "b" })],
    [["pos", "ending"]],
  ],
  ["nothing for notes, which need no authorization", [range({ kind: "note", next: 101 })], []],
] as const)("an owner is told: %s", (_name, ranges, ends) => {
  expect(rangeEnds(rangeUses(ranges, today), today).map((one) => [one.range.kind, one.end])).toEqual(ends);
});
