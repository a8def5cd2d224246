import fc from "fast-check";
import { expect, test } from "vitest";
import { bogotaDate } from "../../src/taxes/bogota-time.ts";
import {
  aProduct,
  broughtBack,
  type EarningShop,
  minute,
  moved,
  openEarning,
  productRecord,
  push,
  sold,
} from "../support/earning.ts";
import { verifiedService } from "../support/fixtures.ts";
import type { Record } from "../support/register.ts";

const service = verifiedService();
const runs = process.env.LONG === "1" ? 120 : 12;

/*
 * Random histories of two products, two registers and two warehouses, against a reference that is written here from the rules alone:
 * plain numbers, unit by unit, without the module's states. Prices and quantities are whole, so that floats are exact enough.
 */

type Act =
  | { kind: "in"; who: 0 | 1; product: 0 | 1; quantity: number; cost: number | null }
  | { kind: "sale"; who: 0 | 1; product: 0 | 1; quantity: number; price: number }
  | { kind: "back"; who: 0 | 1; of: number }
  | { kind: "count"; who: 0 | 1; product: 0 | 1; difference: number }
  | { kind: "transfer"; who: 0 | 1; product: 0 | 1; quantity: number };

const who = fc.constantFrom<0 | 1>(0, 1);
const product = fc.constantFrom<0 | 1>(0, 1);
const quantity = fc.integer({ min: 1, max: 12 });
const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({
    ...{ kind: fc.constant("in" as const), who, product, quantity },
    cost: fc.option(fc.integer({ min: 1, max: 900 }).map((tens) => tens * 10)),
  }),
  fc.record({
    ...{ kind: fc.constant("sale" as const), who, product, quantity },
    price: fc.integer({ min: 10, max: 900 }).map((tens) => tens * 10),
  }),
  fc.record({ kind: fc.constant("back" as const), who, of: fc.nat(20) }),
  fc.record({ kind: fc.constant("count" as const), who, product, difference: fc.integer({ min: -6, max: 6 }) }),
  fc.record({ kind: fc.constant("transfer" as const), who, product, quantity }),
);

/** What happened, in the order of its time. */
interface Happened {
  records: Record[];
  who: 0 | 1;
}

/** One movement for the reference: sale is the index of the sale that it is of. */
interface Moved {
  product: 0 | 1;
  quantity: number;
  cost: number | null;
  sale: number | null;
  at: "one" | "other";
}

interface SoldOf {
  id: string;
  item: string;
  product: 0 | 1;
  quantity: number;
  price: number;
}

function lived(acts: readonly Act[], ids: readonly [string, string], warehouses: readonly [string, string]) {
  const happened: Happened[] = [];
  const movements: Moved[] = [];
  const sales: SoldOf[] = [];
  const back: { sale: number; at: number }[] = [];
  for (const [i, one] of acts.entries()) {
    const n = 10 + i * 10;
    const entry = (fields: object) =>
      moved(ids["product" in one ? one.product : 0], n, { warehouse_id: warehouses[0], ...fields });
    if (one.kind === "in") {
      happened.push({ who: one.who, records: [entry({ quantity: one.quantity, unit_cost: one.cost })] });
      movements.push({ product: one.product, quantity: one.quantity, cost: one.cost, sale: null, at: "one" });
    } else if (one.kind === "sale") {
      const { id, items, records } = sold([{ ...one, product: ids[one.product] }], n, {});
      for (const record of records)
        if (record.type === "stock_movement") Object.assign(record.data!, { warehouse_id: warehouses[0] });
      happened.push({ who: one.who, records });
      movements.push({ product: one.product, quantity: -one.quantity, cost: null, sale: sales.length, at: "one" });
      sales.push({ id, item: items[0]!.id, product: one.product, quantity: one.quantity, price: one.price });
    } else if (one.kind === "back") {
      const index = one.of % Math.max(1, sales.length);
      const sale = sales[index];
      if (!sale || back.some((earlier) => earlier.sale === index)) continue;
      happened.push({
        who: one.who,
        records: [broughtBack(sale.id, sale.item, 1, n, { warehouse_id: warehouses[0] })],
      });
      back.push({ sale: index, at: movements.length });
      movements.push({ product: sale.product, quantity: 1, cost: null, sale: null, at: "one" });
    } else if (one.kind === "count") {
      if (one.difference === 0) continue;
      happened.push({ who: one.who, records: [entry({ type: "adjustment", quantity: one.difference })] });
      movements.push({ product: one.product, quantity: one.difference, cost: null, sale: null, at: "one" });
    } else {
      const out = entry({ type: "transfer_out", quantity: one.quantity });
      const into = entry({ type: "transfer_in", quantity: one.quantity, warehouse_id: warehouses[1] });
      happened.push({ who: one.who, records: [out, into] });
      movements.push({ product: one.product, quantity: -one.quantity, cost: null, sale: null, at: "one" });
      movements.push({ product: one.product, quantity: one.quantity, cost: null, sale: null, at: "other" });
    }
  }
  return { happened, movements, sales, back };
}

/** One unit that went out: of which movement, at which price. */
interface Unit {
  movement: number;
  cost: number | null;
}

/**
 * The rules, unit by unit. A unit that goes out takes the average. One that was not there waits: what comes in next prices it, and every
 * price that comes in prices all that wait. While nothing is known of what it costs, everything waits for the first price.
 */
function reference(movements: readonly Moved[], wanted: 0 | 1) {
  let stock = 0;
  let average: number | null = null;
  const units: Unit[] = [];
  const averageAt: (number | null)[] = [];
  let waiting: Unit[] = [];
  let unpriced: Unit[] = [];
  movements.forEach((one, movement) => {
    averageAt[movement] = average;
    if (one.product !== wanted) return;
    if (one.quantity > 0) {
      if (one.cost !== null) {
        for (const unit of [...waiting, ...unpriced]) unit.cost = one.cost;
        average =
          average === null || stock <= 0
            ? one.cost
            : (stock * average + one.quantity * one.cost) / (stock + one.quantity);
        unpriced = [];
      }
      waiting = waiting.slice(one.quantity);
    } else
      for (let i = 0; i < -one.quantity; i++) {
        const unit = { movement, cost: average };
        units.push(unit);
        if (average === null) unpriced.push(unit);
        if (stock - i <= 0) waiting.push(unit);
      }
    stock += one.quantity;
    averageAt[movement] = average;
  });
  const costs = new Map<number, number | null>();
  for (const { movement, cost } of units) {
    const known = costs.has(movement) ? costs.get(movement)! : 0;
    costs.set(movement, known === null || cost === null ? null : known + cost);
  }
  return { stock, average, costs, averageAt };
}

const near = (a: number, b: number) => Math.abs(a - b) < 0.6;

async function expectReference(shop: EarningShop, ids: readonly [string, string], history: ReturnType<typeof lived>) {
  const { api } = shop.owner.business;
  const { movements, sales, back } = history;
  let margin = 0;
  for (const index of [0, 1] as const) {
    const said = reference(movements, index);
    const shown = (await shop.owner.get(`/products/${ids[index]}`)).body;
    expect(shown.stock).toBe(said.stock);
    expect(shown.stock).toBe(movements.reduce((sum, one) => sum + (one.product === index ? one.quantity : 0), 0));
    expect(near(shown.product.unit_cost, said.average ?? 0), `${shown.product.unit_cost} ${said.average}`).toBe(true);
    expect((await api.get(`/products/${ids[index]}`)).body.unit_cost).toBe(shown.product.unit_cost);
    // What came in less what went out at its cost is what is there, at what it costs, in each warehouse and in all.
    for (const [place, i] of [
      ["one", 0],
      ["other", 1],
    ] as const) {
      const there = movements.filter((one) => one.product === index && one.at === place);
      const stock = there.reduce((sum, one) => sum + one.quantity, 0);
      const level = shown.warehouses.find((one: { warehouse_id: string }) => one.warehouse_id === shop.warehouses[i]);
      expect(level?.stock ?? 0, place).toBe(stock);
    }
    const worth = movements.reduce((sum, one, i) => {
      if (one.product !== index || said.average === null) return sum;
      if (one.quantity > 0) return sum + one.quantity * (one.cost ?? valueIn(said, movements, i, index));
      return sum - (said.costs.get(i) ?? 0);
    }, 0);
    if (said.average !== null) expect(near(worth, said.stock * said.average), `${worth}`).toBe(true);
    for (const [i, sale] of sales.entries()) {
      if (sale.product !== index) continue;
      const cost = said.costs.get(movements.findIndex((one) => one.sale === i)) ?? null;
      const [costs] = (await shop.owner.get(`/sales/${sale.id}/costs`)).body.products;
      expect(costs.net).toBe(sale.quantity * sale.price);
      if (cost === null) expect(costs.cost).toBeNull();
      else expect(near(costs.cost, cost), `${costs.cost} ${cost}`).toBe(true);
      margin += cost === null ? 0 : sale.quantity * sale.price - cost;
      const returned = back.find((one) => one.sale === i);
      if (returned) {
        const price = said.average === null ? null : valueIn(said, movements, returned.at, index);
        margin -= price === null ? 0 : sale.price - price;
      }
    }
  }
  return margin;
}

/** What comes in without a price is worth the average; before anything is known, the first price. */
function valueIn(said: ReturnType<typeof reference>, movements: readonly Moved[], i: number, index: 0 | 1): number {
  return (
    said.averageAt[i] ??
    movements.slice(i).find((one) => one.product === index && one.quantity > 0 && one.cost !== null)!.cost!
  );
}

/** Of each register its own things in their order, and of the two whichever a coin says. */
function interleaved(happened: readonly Happened[], coins: readonly boolean[]): Happened[] {
  const left = [happened.filter((one) => one.who === 0), happened.filter((one) => one.who === 1)];
  return happened.map((_, i) => {
    const [first, second] = coins[i] ? [left[0]!, left[1]!] : [left[1]!, left[0]!];
    return (first.length > 0 ? first : second).shift()!;
  });
}

async function expectAnyOrder(acts: readonly Act[], coins: readonly boolean[]): Promise<void> {
  // As it happened; as the coins say; all of one register before the other, and the products last of all.
  for (const order of ["happened", "coins", "late"] as const) {
    const shop = await openEarning(service);
    const products = [aProduct({ tax_class: "excluded" }), aProduct({ tax_class: "excluded" })] as const;
    const ids = [products[0].id, products[1].id] as const;
    const history = lived(acts, ids, shop.warehouses);
    const { happened } = history;
    const declared: Happened = { who: 0, records: products.map(productRecord) };
    const arrived =
      order === "happened"
        ? [declared, ...happened]
        : order === "coins"
          ? [declared, ...interleaved(happened, coins)]
          : [...interleaved(happened, Array(happened.length).fill(false)), declared];
    for (const one of arrived) await push(shop.tills[one.who], one.records);
    const margin = await expectReference(shop, ids, history);
    const period = `from=${minute(0).slice(0, 10)}&to=${bogotaDate(new Date())}`;
    const { totals } = (await shop.owner.get(`/reports/margin?by=day&${period}`)).body;
    expect(Math.abs(totals.margin - margin) < 2, `${order}: ${totals.margin} ${margin}`).toBe(true);
  }
}

test("any history costs what the rules say, whichever register tells its part first", {
  timeout: 600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(act, { minLength: 4, maxLength: 14 }),
      fc.array(fc.boolean(), { minLength: 14, maxLength: 14 }),
      expectAnyOrder,
    ),
    { numRuns: runs, ...(process.env.FAULT_SEED && { seed: Number(process.env.FAULT_SEED) }) },
  );
});
