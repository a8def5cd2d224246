import fc from "fast-check";
import { expect, test } from "vitest";
import { newLedger, publishedCost, publishedStock } from "../products/ledger.ts";
import { addEntry, deltaMilli } from "./ledger.ts";

interface Written {
  type: string;
  quantity: number;
  unit_cost: number | null;
}
const moved = (type: string, quantity: number, origin: string | null = null, saleId: string | null = null) =>
  deltaMilli({ type, quantity, origin_type: origin, sale_id: saleId });
let instant = 0;
const entry = ({ type, quantity, unit_cost }: Written) => ({
  delta_milli: moved(type, quantity),
  made_us: ++instant,
  from_api: true,
  body: { unit_cost, origin_type: null, created_at: "2026-09-28T19:05:09.120Z" },
});
const ledgerOf = (entries: readonly Written[]) => entries.map(entry).reduce(addEntry, newLedger(0));

test.each([
  ["in", 2.5, 2500],
  ["out", 2.5, -2500],
  ["sale", 1, -1000],
  ["sale", -1, -1000],
  ["adjustment", -0.001, -1],
  ["adjustment", 1.005, 1005],
  ["transfer_out", 3, -3000],
  ["waste", 0.1, -100],
  ["purchase", 7, 7000],
])("an entry %s of %d moves the stock by %d thousandths", (type, quantity, delta) => {
  expect(moved(type, quantity)).toBe(delta);
});

test.each([
  ["salida", 2, null, null, -2000],
  ["SALIDA", 2, null, null, -2000],
  ["recipe_explosion", 0.5, "recipe_explosion", null, -500],
  ["entrada", 3, null, null, 3000],
  ["insumo", 2, "recipe_explosion", null, -2000],
  ["vuelta", 1, "reversal", "a sale", 1000],
  ["vuelta", 1, "reversal", null, 0],
  ["vuelta", 1, null, "a sale", 0],
  ["traslado", 4, null, null, 0],
  ["traslado", -4, null, null, -4000],
  ["in", 2, "sale", "a sale", 2000],
] as const)(
  "an unknown type, %s of %d from %s, moves the stock the right way or not at all",
  (type, quantity, origin, sale, delta) => {
    expect(moved(type, quantity, origin, sale)).toBe(delta);
  },
);

test.each([
  [1999, 1],
  [2000, 2],
  [1, 0],
  [0, 0],
  [-1, -1],
  [-1000, -1],
  [-1001, -2],
])("%d thousandths are published as %d", (stock_milli, published) => {
  expect(publishedStock({ ...newLedger(0), stock_milli })).toBe(published);
});

test("the declared cost applies until stock comes in with its own cost", () => {
  const declared = newLedger(1500.5);
  const uncosted = addEntry(declared, entry({ type: "in", quantity: 10, unit_cost: null }));
  const left = addEntry(uncosted, entry({ type: "out", quantity: 2, unit_cost: 9000 }));
  expect([declared, uncosted, left].map(publishedCost)).toEqual([1500.5, 1500.5, 1500.5]);
  expect(publishedCost(addEntry(left, entry({ type: "in", quantity: 1, unit_cost: 900 })))).toBe(900);
});

test("the cost is the average of what is there and what comes in, weighted by quantity", () => {
  const entries = [
    { type: "in", quantity: 10, unit_cost: 2000 },
    { type: "adjustment", quantity: 30, unit_cost: 2400 },
    { type: "adjustment", quantity: -5, unit_cost: 1 },
    { type: "out", quantity: 35, unit_cost: 1 },
  ];
  expect(publishedCost(ledgerOf(entries))).toBe(2300);
  // What was sold long ago does not weigh.
  expect(publishedCost(ledgerOf([...entries, { type: "in", quantity: 4, unit_cost: 5000 }]))).toBe(5000);
});

test("the end of the write goes through the entries again from what came in at a cost, and from what comes late", () => {
  const bought = addEntry(newLedger(0), { ...entry({ type: "in", quantity: 10, unit_cost: 2000 }), made_us: 50 });
  expect(bought).toMatchObject({ recost_us: 50, costed_us: 50, average_cost: "2000.000000000000" });
  const settled = { ...bought, recost_us: 0 };
  const sold = entry({ type: "sale", quantity: 1, unit_cost: null });
  expect(addEntry(settled, { ...sold, made_us: 51 }).recost_us).toBe(0);
  expect(addEntry(settled, { ...sold, made_us: 49 }).recost_us).toBe(49);
  expect(addEntry(addEntry(settled, { ...sold, made_us: 30 }), { ...sold, made_us: 40 }).recost_us).toBe(30);
});

test("what is on its way between two warehouses is the business's", () => {
  const bought = addEntry(newLedger(0), entry({ type: "in", quantity: 10, unit_cost: 1000 }));
  const out = entry({ type: "transfer_out", quantity: 10, unit_cost: null });
  const sent = addEntry(bought, { ...out, body: { ...out.body, origin_type: "transfer" } });
  expect(sent).toMatchObject({ stock_milli: 0, transit_milli: 10_000 });
  expect(publishedCost(addEntry(sent, entry({ type: "in", quantity: 10, unit_cost: 2000 })))).toBe(1500);
});

test("a sum of costs too large for floating point is still exact", () => {
  const entries = [
    { type: "in", quantity: 999_999_999, unit_cost: 999_999_999_999 },
    { type: "in", quantity: 999_999_999, unit_cost: 999_999_999_998 },
  ];
  expect(publishedCost(ledgerOf(entries))).toBe(999_999_999_998.5);
});

test("the same entries give the same stock in any order", () => {
  const written = fc.record({
    type: fc.constantFrom("in", "out", "adjustment"),
    quantity: fc.integer({ min: 1, max: 5_000_000 }).map((milli) => milli / 1000),
    unit_cost: fc.option(fc.integer({ min: 0, max: 50_000_000 }).map((hundredths) => hundredths / 100)),
  });
  const shuffled = fc
    .array(written, { minLength: 2, maxLength: 12 })
    .chain((entries) => fc.tuple(fc.constant(entries), fc.shuffledSubarray(entries, { minLength: entries.length })));
  fc.assert(
    fc.property(shuffled, ([entries, reordered]) => {
      const sums = ({ stock_milli, cost_milli, cost_value }: ReturnType<typeof ledgerOf>) => [
        stock_milli,
        cost_milli,
        cost_value,
      ];
      expect(sums(ledgerOf(reordered))).toEqual(sums(ledgerOf(entries)));
    }),
    { numRuns: 300 },
  );
});
