import fc from "fast-check";
import { expect, test } from "vitest";
import { buyingShop, type Json } from "../support/purchases.ts";

const { shop, soda, rice, bought, stockOf, movementsOf } = buyingShop();

/** What somebody does with a purchase; shares are of what is left, so that most of it may be done. */
const act = fc.record({
  kind: fc.constantFrom("receipt", "receipt", "receipt", "return", "correction"),
  line: fc.nat(1),
  share: fc.integer({ min: 1, max: 12 }),
  /** How often it is sent with one key, and at once. */
  sent: fc.integer({ min: 1, max: 3 }),
});
const plan = fc.record({
  boxes: fc.integer({ min: 1, max: 12 }),
  kilos: fc.integer({ min: 1, max: 9_000 }).map((grams) => grams / 1000),
  freight: fc.integer({ min: 0, max: 9_999 }),
  cost: fc.integer({ min: 0, max: 90_000 }),
  acts: fc.array(act, { minLength: 1, maxLength: 8 }),
});
const runs = Number(process.env.PURCHASE_RUNS ?? 15);
const milli = (quantity: number) => Math.round(quantity * 1000);

test("whatever comes, goes back and is corrected, repeated and at once: stock is the sum, and what is owed follows it", async () => {
  let round = 0;
  const before = { soda: 0, rice: 0 };
  await fc.assert(
    fc.asyncProperty(plan, async ({ boxes, kilos, freight, cost, acts }) => {
      round += 1;
      const purchase = await bought(
        [
          {
            product_id: soda.id,
            unit: "Caja",
            factor: 24,
            quantity: boxes,
            unit_cost: cost,
            taxes: [{ code: "01", rate: 19 }],
          },
          { product_id: rice.id, quantity: kilos, unit_cost: 3_333.3333 },
        ],
        { charges: [{ description: "Flete", amount: freight }] },
      );
      let state: Json = purchase;
      for (const [i, one] of acts.entries()) state = await perform(state, one, `${round} ${i}`);
      // The books of this test: what the receipts that were answered say.
      const net = [0, 0];
      for (const { kind, lines } of state.receipts)
        for (const { line_id, base_quantity } of lines)
          net[line_id === purchase.lines[0].id ? 0 : 1]! += (kind === "receipt" ? 1 : -1) * milli(base_quantity);
      const after = { soda: milli(await stockOf(soda)), rice: milli(await stockOf(rice)) };
      expect([after.soda - before.soda, after.rice - before.rice]).toEqual(net);
      Object.assign(before, after);
      for (const line of state.lines) {
        expect(line.received).toBeLessThanOrEqual(line.quantity);
        expect(line.returned).toBeLessThanOrEqual(line.received);
      }
      expect(state.owed).toBe(state.receipts.reduce((sum: number, { owed }: Json) => sum + owed, 0));
      const isAllHere = state.lines.every((line: Json) => line.received === line.quantity && line.returned === 0);
      if (isAllHere) expect([state.status, state.owed]).toEqual(["received", state.total]);
      if (net[0] === 0 && net[1] === 0) expect(state.owed).toBe(0);
    }),
    { numRuns: runs },
  );
  const moved = [...(await movementsOf(soda))].length;
  expect(moved).toBeGreaterThan(0);
}, 240_000);

/** Sends an act, at once as often as it says, with one key; what it may not do is refused and changes nothing. */
async function perform(state: Json, { kind, line: of, share, sent }: Json, key: string): Promise<Json> {
  const line = state.lines[of];
  const receipt = state.receipts.find((one: Json) => one.kind === "receipt");
  const left = kind === "receipt" ? line.quantity - line.received : line.received - line.returned;
  const step = of === 0 ? 1 : 0.001;
  const quantity = Math.max(1, Math.floor((left / step) * (share / 10))) * step;
  const body = {
    kind,
    lines: [{ line_id: line.id, quantity: Math.round(quantity * 1000) / 1000 }],
    ...(kind === "correction" && receipt && { corrects: receipt.id }),
  };
  const path = `/purchases/${state.id}/receipts`;
  const headers = { "idempotency-key": key.replace(" ", "-") };
  const answers = await Promise.all(Array.from({ length: sent }, () => shop.api.post(path, body, headers)));
  const done = answers.filter(({ status }) => status === 200);
  for (const { status, text } of answers) if (![200, 400, 409].includes(status)) throw new Error(text);
  const { body: now } = await shop.api.get(`/purchases/${state.id}`);
  expect(now.receipts.length - state.receipts.length).toBe(done.length > 0 ? 1 : 0);
  return now;
}
