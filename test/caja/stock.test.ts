import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { lineOf, withLine } from "../../register/ticket.ts";
import { warehousesIn } from "../../register/warehouses.ts";
import { sql } from "../../src/db/sql.ts";
import { maxPageBytes } from "../../src/engine/resources/read-list.ts";
import { furnishShop } from "../support/caja.ts";
import { type Desk, desks, receive, storeKinds, upload } from "../support/desk.ts";
import { verifiedService } from "../support/fixtures.ts";
import { enrol } from "../support/register.ts";

const service = verifiedService();
const { open } = desks();

/** A shop with coffee in two warehouses. */
async function shop() {
  const { accountId } = await service.business();
  await furnishShop(service, accountId, ["Café", "Pan", "Leche"]);
  const till = await enrol(service, accountId);
  await till.put("warehouse", { name: "Bodega", is_default: false, active: true });
  return { accountId, till };
}

async function sold(desk: Desk, productId: string, quantity: number): Promise<void> {
  const product = desk.register.catalog.get("product", productId);
  desk.counter.edit((ticket) => withLine(ticket, lineOf(randomUUID(), product, quantity)));
  const result = await desk.counter.charge([]);
  if ("problem" in result) throw new Error(result.problem.kind);
}

/** The server's own sum. */
async function stockOf(accountId: string, productId: string): Promise<number> {
  const { rows } = await service.deps.pool.query(sql`
    select body from products where account_id = ${accountId} and id = ${productId}`);
  return JSON.parse(rows[0].body).stock;
}

describe.each(storeKinds)("stock over %s", (kind) => {
  test("is the last news and what was moved here since, uploaded or not", async () => {
    const { accountId, till } = await shop();
    const desk = await open(kind, service, accountId);
    const { stock, counter, register } = desk;
    const coffee = register.catalog.search("cafe")[0]!.id;
    const [main, back] = warehousesIn(register.catalog);
    expect([main!.name, back!.name]).toEqual(["Principal", "Bodega"]);
    expect((await stock.view()).at).toBeNull();
    await stock.refresh();
    await counter.openShift(0);
    await stock.receive({
      productId: coffee,
      warehouseId: main!.id,
      quantity: 20,
      unitCost: 700,
      reference: "FV-1",
    });
    await stock.transfer(coffee, main!.id, back!.id, 6);
    await sold(desk, coffee, 3);
    const both = async () => {
      const view = await stock.view();
      return [view.in(coffee, main!.id), view.in(coffee, back!.id), view.total(coffee)];
    };
    expect(await both()).toEqual([11, 6, 17]);
    // Uploaded but not asked for, asked for, and moved by somebody else: never counted twice.
    await upload(desk);
    expect(await both()).toEqual([11, 6, 17]);
    await stock.refresh();
    expect(await both()).toEqual([11, 6, 17]);
    await sold(desk, coffee, 1);
    await till.put("stock_movement", { product_id: coffee, warehouse_id: back!.id, type: "out", quantity: 2 });
    expect(await both()).toEqual([10, 6, 16]);
    await stock.refresh();
    expect(await both()).toEqual([10, 4, 14]);
    await expect(stock.count(coffee, main!.id, 7.5)).rejects.toThrow(RangeError);
    await expect(stock.transfer(coffee, main!.id, back!.id, 0.5)).rejects.toThrow(RangeError);
    expect(await stock.count(coffee, main!.id, 8)).toBe(-2);
    expect(await stock.count(coffee, main!.id, 8)).toBe(0);
    expect(await both()).toEqual([8, 4, 12]);
    await upload(desk);
    expect(await stockOf(accountId, coffee)).toBe(12);
    const sale = (await counter.salesOf(counter.state().shift!.id))[0]!;
    await counter.takeBack(sale, [{ item_id: sale.data.items[0]!.id, quantity: 1 }], "CASH", "Vencido");
    expect(await both()).toEqual([9, 4, 13]);
    await upload(desk);
    await stock.refresh();
    expect(await both()).toEqual([9, 4, 13]);
    desk.store.close();
  });
});

test("comes in pages, then only what moved; a cursor that is none is refused", async () => {
  const { till } = await shop();
  const { body } = await till.pull();
  const ids = body.changes.flatMap(({ type, id }: { type: string; id: string }) => (type === "product" ? [id] : []));
  for (const id of ids) await till.put("stock_movement", { product_id: id, type: "in", quantity: 5 });
  const seen: string[] = [];
  let cursor = "";
  for (;;) {
    const page = (await till.send("GET", `/stock?limit=2&cursor=${cursor}`)).body;
    seen.push(...page.levels.map(([id]: [string]) => id));
    cursor = page.cursor;
    if (!page.has_more) break;
  }
  expect(seen.toSorted()).toEqual(ids.toSorted());
  expect((await till.send("GET", `/stock?cursor=${cursor}`)).body).toMatchObject({ levels: [], has_more: false });
  await till.put("stock_movement", { product_id: ids[0], type: "out", quantity: 1.5 });
  const news = (await till.send("GET", `/stock?cursor=${cursor}`)).body;
  expect(news.levels).toEqual([[ids[0], null, 3.5]]);
  // More moved than fits on a page: everything comes again.
  for (const id of ids) await till.put("stock_movement", { product_id: id, type: "in", quantity: 1 });
  expect((await till.send("GET", `/stock?limit=2&cursor=${cursor}`)).body).toMatchObject({ has_more: true });
  for (const bad of ["x", "1.2", "9".repeat(15), "1.00000000-0000-0000-0000-00000000000g"])
    expect((await till.send("GET", `/stock?cursor=${bad}`)).body.error.code).toBe("INVALID_CURSOR");
  const other = await enrol(service, (await service.business()).accountId);
  expect((await other.send("GET", "/stock")).body.levels).toEqual([]);
});

test("a page stays within its bytes however many warehouses there are, and the next one goes on", async () => {
  const { accountId, till } = await shop();
  const { body } = await till.pull();
  const ids: string[] = body.changes.flatMap((one: { type: string; id: string }) =>
    one.type === "product" ? [one.id] : [],
  );
  await service.deps.pool.query(sql`
    insert into stock_levels (account_id, product_id, warehouse_id, stock_milli)
    select ${accountId}, product, gen_random_uuid(), 123456789 from unnest(${ids}::uuid[]) as product, generate_series(1, 9000)`);
  const seen: string[] = [];
  let cursor = "";
  for (;;) {
    const page = (await till.send("GET", `/stock?cursor=${cursor}`)).body;
    expect(JSON.stringify(page).length).toBeLessThan(maxPageBytes);
    seen.push(...page.levels.map(([id]: [string]) => id));
    cursor = page.cursor;
    if (!page.has_more) break;
  }
  expect(seen).toHaveLength(27_000);
  expect(new Set(seen)).toEqual(new Set(ids));
  // Made up: no movement stands behind them.
  await service.deps.pool.query(sql`delete from stock_levels where account_id = ${accountId}`);
});

test("a register that was linked anew forgets levels that counted its former uploads", async () => {
  const { accountId } = await shop();
  const desk = await open("IndexedDB", service, accountId);
  const coffee = desk.register.catalog.search("cafe")[0]!.id;
  await desk.stock.refresh();
  await desk.stock.receive({ productId: coffee, warehouseId: null, quantity: 4, unitCost: null, reference: null });
  await upload(desk);
  await desk.stock.refresh();
  const again = await open("IndexedDB", service, accountId);
  await desk.register.relink(again.register.identity());
  await receive(desk);
  expect((await desk.stock.view()).at).toBeNull();
  await upload(desk);
  await desk.stock.refresh();
  expect((await desk.stock.view()).total(coffee)).toBe(4);
  for (const one of [desk, again]) one.store.close();
});
