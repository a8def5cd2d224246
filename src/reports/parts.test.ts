import { expect, test } from "vitest";
import { partsOf } from "./parts.ts";
import { addDays } from "./period.ts";

const named = ({ from, to }: { from: string; to: string }) => `${from.slice(5)}…${to.slice(5)}`;

test("a year is read as its whole months, the thirds at its ends, and at most ten days at each", () => {
  const { spans, days } = partsOf({ from: "2025-11-17", to: "2026-11-16" });
  expect(spans.slice(0, 3).map(named)).toEqual(["11-21…11-30", "12-01…12-31", "01-01…01-31"]);
  expect(spans.slice(-2).map(named)).toEqual(["10-01…10-31", "11-01…11-10"]);
  expect(spans).toHaveLength(13);
  expect(days.map(named)).toEqual(["11-17…11-20", "11-11…11-16"]);
});

test.each([
  ["2026-02-01", "2026-02-28", ["02-01…02-28"], []],
  ["2028-02-11", "2028-02-29", ["02-11…02-20", "02-21…02-29"], []],
  ["2026-10-31", "2026-10-31", [], ["10-31…10-31"]],
  ["9999-12-05", "9999-12-31", ["12-11…12-20", "12-21…12-31"], ["12-05…12-10"]],
])("%s to %s", (from, to, spans, days) => {
  const parts = partsOf({ from, to });
  expect([parts.spans.map(named), parts.days.map(named)]).toEqual([spans, days]);
});

test("the parts of any period have each of its days once", () => {
  for (let length = 1; length <= 400; length += 7) {
    const [from, to] = [addDays("2027-12-25", length % 60), addDays("2027-12-25", (length % 60) + length - 1)];
    const { spans, days } = partsOf({ from, to });
    const parts = [...spans, ...days].sort((a, b) => (a.from < b.from ? -1 : 1));
    expect([parts[0]!.from, parts.at(-1)!.to]).toEqual([from, to]);
    for (const [i, part] of parts.slice(1).entries()) expect(part.from).toBe(addDays(parts[i]!.to, 1));
  }
});
