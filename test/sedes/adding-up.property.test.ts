import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { type Chance, chance as chanceOf } from "../../src/operations/demo/random.ts";
import { bogotaDate } from "../../src/taxes/bogota-time.ts";
import { verifiedService } from "../support/fixtures.ts";
import { openPortal, type Portal } from "../support/portal.ts";
import { below, randomParts, randomSale } from "../support/random-sale.ts";
import { cashSessionBody, productBody } from "../support/records.ts";
import { ableToReturn, enrol, type Till, upload } from "../support/register.ts";

const service = verifiedService();
const count = process.env.LONG ? 1_000 : 120;

test(`${count} random sales, returns, cancellations and transfers: what each sede has adds up to the whole`, {
  timeout: 60_000 + count * 1_000,
}, async () => {
  const owner = await openPortal(service);
  const norte = (await owner.post("/locations", { name: "Norte" })).body.id as string;
  const sedes = [owner.accountId, norte];
  const chance: Chance = chanceOf(7);
  const shop = await openShop(owner, sedes);
  const sold: { id: string; items: { id: string; quantity: number }[]; till: Till; isOver: boolean }[] = [];
  for (let i = 0; i < count; i++) {
    const counter = chance.pick(shop.counters);
    const kind = chance.happens(0.6) || sold.length === 0 ? "sale" : chance.pick(["return", "cancel", "transfer"]);
    const open = sold.filter(({ isOver }) => !isOver);
    if (kind === "transfer" || open.length === 0) await transfer(counter.till, shop, 1 + below(chance, 3));
    if (kind === "sale") {
      const sale = randomSale(chance, new Date(), counter.shift);
      for (const item of sale.items) item.product_id = shop.product;
      const payments = randomParts(chance, sale.total);
      const { product, warehouses } = shop;
      const movement = { product_id: product, type: "sale", quantity: 1, sale_id: sale.id };
      const warehouse_id = warehouses[sedes.indexOf(counter.place)];
      await counter.till.push([
        { type: "sale", id: sale.id, data: upload(sale), ...(payments && { payments }) },
        { type: "stock_movement", id: randomUUID(), data: { ...movement, warehouse_id } },
      ]);
      sold.push({ id: sale.id, items: sale.items, till: counter.till, isOver: false });
    }
    const one = open.length > 0 ? chance.pick(open) : undefined;
    if (kind === "return" && one) {
      // At any counter of either sede.
      const lines = one.items.slice(0, 1).map(({ id, quantity }) => ({ item_id: id, quantity }));
      const data = { sale_id: one.id, lines, payment_method: "CASH", cash_session_id: counter.shift };
      await counter.till.push([{ type: "return", id: randomUUID(), data }]);
      one.isOver = true;
    }
    if (kind === "cancel" && one) {
      const { body } = await owner.business.api.get(`/sales/${one.id}`);
      await one.till.push([{ type: "sale", id: one.id, data: { ...upload(body), status: "cancelled" } }]);
      one.isOver = true;
    }
  }
  const day = bogotaDate(new Date());
  const period = `from=${day}&to=${day}`;
  await addsUp(owner, sedes, "/today", ({ sold, hours, payments }) => ({
    ...sums("sold", sold),
    ...Object.assign({}, ...hours.map((row: Numbers) => sums(`hour ${row.hour}`, row, ["hour"]))),
    ...Object.assign({}, ...payments.map((row: Numbers) => sums(String(row.payment_method), row))),
  }));
  for (const by of ["day", "hour", "payment_method", "register", "product", "category", "cashier"])
    await addsUp(owner, sedes, `/reports/sales?by=${by}&${period}`, ({ rows, totals }) => ({
      ...sums("totals", totals),
      ...Object.assign({}, ...rows.map((row: Numbers) => sums(`row ${row.key}`, row, ["key"]))),
    }));
  await addsUp(owner, sedes, `/days/${day}/z`, ({ sums: all, sales, returns, received }) => ({
    ...sums("sums", all),
    ...sums("sales", sales),
    ...sums("returns", returns),
    ...Object.assign({}, ...received.map((row: Numbers) => sums(String(row.payment_method), row))),
  }));
  await addsUp(owner, sedes, "/sales/totals", (totals) => ({
    ...sums("all", totals),
    ...sums("states", totals.states),
  }));
  await addsUp(owner, sedes, "/products?counted=true", ({ data }) => sums("stock", { stock: data[0].stock }));
  const { rows } = (await owner.get(`/reports/sales?by=location&${period}`)).body;
  for (const sede of sedes) {
    const own = (await owner.get(`/reports/sales?by=day&${period}&location_id=${sede}`)).body.totals;
    expect(rows.find(({ key }: { key: string }) => key === sede)).toMatchObject(own);
  }
  expect(rows).toHaveLength(2);
});

type Numbers = Record<string, unknown>;

/** The numbers of an answer, named. */
function sums(name: string, of: Numbers, but: readonly string[] = []): Record<string, number> {
  const numbers = Object.entries(of).filter((entry): entry is [string, number] => typeof entry[1] === "number");
  return Object.fromEntries(
    numbers.flatMap(([key, value]) => (but.includes(key) || value === 0 ? [] : [[`${name} ${key}`, value]])),
  );
}

// biome-ignore lint/suspicious/noExplicitAny: an answer is read as the page reads it
async function addsUp(owner: Portal, sedes: string[], path: string, read: (body: any) => Record<string, number>) {
  const of = async (sede?: string) => {
    const { status, body, text } = await owner.get(
      `${path}${sede ? `${path.includes("?") ? "&" : "?"}location_id=${sede}` : ""}`,
    );
    expect(status, `${path} ${text}`).toBe(200);
    return read(body);
  };
  const whole = await of();
  const parts = await Promise.all(sedes.map(of));
  const added: Record<string, number> = {};
  for (const part of parts) for (const [name, value] of Object.entries(part)) added[name] = (added[name] ?? 0) + value;
  const rounded = (all: Record<string, number>) =>
    Object.fromEntries(
      Object.entries(all).flatMap(([name, value]) =>
        Math.abs(value) < 1e-6 ? [] : [[name, Number(value.toFixed(3))]],
      ),
    );
  expect(rounded(added), path).toEqual(rounded(whole));
  for (const part of parts)
    expect(Object.keys(part).length, `${path} ${JSON.stringify([whole, parts])}`).toBeGreaterThan(0);
}

/** A product, a warehouse in each sede, and two registers with an open shift in each. */
async function openShop(owner: Portal, sedes: string[]) {
  const capabilities = ableToReturn;
  const first = await enrol(service, owner.accountId, { name: "Caja 1", capabilities });
  const product = productBody(new Date().toISOString());
  await first.put("product", upload(product), { id: product.id });
  const warehouses: string[] = [];
  for (const location_id of sedes) {
    const made = await owner.post("/warehouses", { name: "Bodega", location_id }, { "idempotency-key": randomUUID() });
    expect(made.status, made.text).toBe(201);
    warehouses.push(made.body.id);
  }
  const counters: { till: Till; shift: string; place: string }[] = [];
  for (const [i, place] of [...sedes, ...sedes].entries()) {
    const till = i === 0 ? first : await enrol(service, owner.accountId, { name: `Caja ${i + 1}`, capabilities });
    await owner.put(`/devices/${till.deviceId}/location`, { location_id: place });
    const shift = cashSessionBody(new Date().toISOString(), { register_name: `Caja ${i + 1}`, status: "open" });
    await till.push([{ type: "cash_session", id: shift.id, data: upload(shift) }]);
    counters.push({ till, shift: shift.id, place });
  }
  return { product: product.id, warehouses, counters };
}

/** Of goods from one sede's warehouse to the other's. */
async function transfer(
  till: Till,
  { product, warehouses }: { product: string; warehouses: string[] },
  quantity: number,
) {
  const [from, to] = warehouses;
  const moved = { product_id: product, quantity, origin_type: null };
  await till.push([
    { type: "stock_movement", data: { ...moved, type: "transfer_out", warehouse_id: from } },
    { type: "stock_movement", data: { ...moved, type: "transfer_in", warehouse_id: to } },
  ]);
}
