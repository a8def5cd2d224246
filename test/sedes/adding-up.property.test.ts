import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { Sale } from "../../src/business/sales/schema.ts";
import { type Chance, chance as chanceOf } from "../../src/operations/demo/random.ts";
import { bogotaDate } from "../../src/taxes/bogota-time.ts";
import { verifiedService } from "../support/fixtures.ts";
import { openPortal, type Portal } from "../support/portal.ts";
import { below, randomParts, randomSale, worthOf } from "../support/random-sale.ts";
import { cashSessionBody, productBody } from "../support/records.ts";
import { ableToReturn, enrol, type Till, upload } from "../support/register.ts";

const service = verifiedService();
const count = process.env.LONG ? 1_000 : 100;

test(`${count} random sales, returns, cancellations and transfers, some of which travel: what each sede has adds up to the whole`, {
  timeout: 120_000 + count * 2_000,
}, async () => {
  const owner = await openPortal(service);
  const norte = (await owner.post("/locations", { name: "Norte" })).body.id as string;
  const sedes = [owner.accountId, norte];
  const shop = await openShop(owner, sedes, chanceOf(7));
  for (let i = 0; i < count; i++) await act(shop, shop.chance.pick(shop.counters));
  for (const [kind, times] of Object.entries(shop.done)) expect(times, kind).toBeGreaterThan(0);
  await agreesWithBooks(shop, sedes);
  await agreesWithTravels(shop);
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

/** What a sede sold, took back, and has: kept here, without the service's help. */
interface Books {
  tickets: number;
  received: number;
  tax: number;
  stock: number;
}

/** Goods between two sedes, as those who sent and received them would note it. */
interface Travel {
  id: string;
  from: number;
  sent: number;
  received: number;
  state: "sent" | "short" | "received" | "settled";
  /** What did not arrive and was given up, or is back. */
  lost: number;
  back: number;
}

interface Counter {
  till: Till;
  shift: string;
  place: number;
}

interface Shop {
  owner: Portal;
  chance: Chance;
  product: string;
  warehouses: string[];
  counters: Counter[];
  books: Books[];
  sold: { sale: Sale; at: Counter }[];
  travels: Travel[];
  done: Record<Kind, number>;
}

const besides = ["return", "cancel", "transfer", "send", "receive", "receive", "settle"] as const;
type Kind = "sale" | (typeof besides)[number];

async function act(shop: Shop, counter: Counter): Promise<void> {
  const { chance, sold } = shop;
  const kind = chance.happens(0.4) || sold.length === 0 ? "sale" : chance.pick(besides);
  const travelling = openTravels(shop).filter(({ state }) => kind !== "settle" || state === "short");
  if ((kind === "receive" || kind === "settle") && travelling.length === 0) return act(shop, counter);
  shop.done[kind] += 1;
  if (kind === "sale") return sell(shop, counter);
  if (kind === "transfer") return transfer(shop, counter);
  if (kind === "send") return send(shop, counter);
  if (kind === "receive") return receive(shop, chance.pick(travelling));
  if (kind === "settle") return settle(shop, chance.pick(travelling));
  const [one] = sold.splice(below(chance, sold.length), 1);
  return kind === "return" ? takeBack(shop, counter, one!) : cancel(shop, one!);
}

/** What a register uploads is taken as it is, or the test is about nothing. */
async function upTo(till: Till, records: Parameters<Till["push"]>[0]): Promise<void> {
  const { status, body } = await till.push(records);
  const outcomes = body.results?.map((one: { status: string }) => one.status);
  expect([status, new Set(outcomes)], JSON.stringify(body)).toEqual([200, new Set(["applied"])]);
}

async function sell({ chance, product, warehouses, books, sold }: Shop, at: Counter): Promise<void> {
  const sale = randomSale(chance, new Date(), at.shift);
  for (const item of sale.items) item.product_id = product;
  const payments = randomParts(chance, sale.total);
  const moved = { product_id: product, type: "sale", sale_id: sale.id, warehouse_id: warehouses[at.place] };
  const quantity = sale.items.reduce((sum, item) => sum + item.quantity, 0);
  await upTo(at.till, [
    { type: "sale", id: sale.id, data: upload(sale), ...(payments && { payments }) },
    { type: "stock_movement", data: { ...moved, quantity } },
  ]);
  sold.push({ sale, at });
  const own = books[at.place]!;
  own.tickets += 1;
  own.received += sale.total;
  own.tax += sale.tax;
  own.stock -= quantity;
}

/** Its first line, at any counter of either sede: that one pays, and the goods stay there. */
async function takeBack({ owner, books }: Shop, at: Counter, { sale }: Shop["sold"][number]): Promise<void> {
  const id = randomUUID();
  const [line] = sale.items;
  const lines = [{ item_id: line!.id, quantity: line!.quantity }];
  const occurred_at = new Date().toISOString();
  const data = {
    sale_id: sale.id,
    lines,
    payment_method: "CASH",
    reason: null,
    occurred_at,
    cash_session_id: at.shift,
  };
  await upTo(at.till, [{ type: "return", id, data }]);
  const { body } = await owner.business.api.get(`/returns/${id}`);
  const { total, tax } = worthOf(body, body.lines);
  books[at.place]!.received -= total;
  books[at.place]!.tax -= tax;
  if (line!.tax_class !== "passthrough") books[at.place]!.stock += line!.quantity;
}

async function cancel({ owner, books }: Shop, { sale, at }: Shop["sold"][number]): Promise<void> {
  const { body } = await owner.business.api.get(`/sales/${sale.id}`);
  await upTo(at.till, [{ type: "sale", id: sale.id, data: { ...upload(body), status: "cancelled" } }]);
  books[at.place]!.received -= sale.total;
  books[at.place]!.tax -= sale.tax;
}

/** Of goods from one sede's warehouse to the other's. */
async function transfer({ chance, product, warehouses, books }: Shop, { till, place: from }: Counter): Promise<void> {
  const to = 1 - from;
  const quantity = 1 + below(chance, 3);
  const moved = { product_id: product, quantity, origin_type: null };
  await upTo(till, [
    { type: "stock_movement", data: { ...moved, type: "transfer_out", warehouse_id: warehouses[from] } },
    { type: "stock_movement", data: { ...moved, type: "transfer_in", warehouse_id: warehouses[to] } },
  ]);
  books[from]!.stock -= quantity;
  books[to]!.stock += quantity;
}

const openTravels = ({ travels }: Shop) => travels.filter(({ state }) => state === "sent" || state === "short");
const left = ({ sent, received, lost, back }: Travel) => sent - received - lost - back;

/** What one sede sends is in neither until the other receives it. */
async function send(
  { owner, chance, product, warehouses, books, travels }: Shop,
  { place: from }: Counter,
): Promise<void> {
  const quantity = 1 + below(chance, 5);
  const places = { from_warehouse_id: warehouses[from], to_warehouse_id: warehouses[1 - from] };
  const lines = [{ product_id: product, quantity }];
  const key = { "idempotency-key": randomUUID() };
  const sent = await owner.post("/transfers", { ...places, lines }, key);
  expect(sent.status, sent.text).toBe(201);
  // A request that was sent twice sends the goods once.
  if (chance.happens(0.2)) await owner.post("/transfers", { ...places, lines }, key);
  books[from]!.stock -= quantity;
  travels.push({ id: sent.body.id, from, sent: quantity, received: 0, state: "sent", lost: 0, back: 0 });
}

/** All of it, a part, nothing, or more than is on its way, which changes nothing. */
async function receive({ owner, chance, product, books }: Shop, travel: Travel): Promise<void> {
  const quantity = chance.happens(0.5) ? left(travel) : below(chance, left(travel) + 2);
  const lines = [{ product_id: product, quantity }];
  const { status, body } = await owner.post(`/transfers/${travel.id}/receive`, { lines });
  if (quantity > left(travel)) {
    expect(status).toBe(400);
    return;
  }
  travel.received += quantity;
  travel.state = left(travel) === 0 ? "received" : "short";
  books[1 - travel.from]!.stock += quantity;
  expect([status, body.state]).toEqual([200, travel.state]);
}

/** The rest is lost, or back where it came from. */
async function settle({ owner, chance, books }: Shop, travel: Travel): Promise<void> {
  const as = chance.pick(["lost", "returned"] as const);
  const rest = left(travel);
  const { status, text } = await owner.post(`/transfers/${travel.id}/settle`, { as });
  expect(status, text).toBe(200);
  travel[as === "lost" ? "lost" : "back"] += rest;
  travel.state = "settled";
  if (as === "returned") books[travel.from]!.stock += rest;
}

/** Each transfer is what its two sedes noted of it, and what is on its way is what they miss. */
async function agreesWithTravels(shop: Shop): Promise<void> {
  const { owner, travels } = shop;
  for (const travel of travels) {
    const { id, sent, received, lost, back, state } = travel;
    const { body } = await owner.get(`/transfers/${id}`);
    const [line] = body.lines;
    expect([body.state, line.sent, line.received, line.settled]).toEqual([state, sent, received, lost + back]);
  }
  const onTheWay = (await owner.get("/transfers/on-the-way")).body.data as { quantity: number }[];
  const waiting = openTravels(shop).reduce((sum, travel) => sum + left(travel), 0);
  expect(onTheWay.reduce((sum, { quantity }) => sum + quantity, 0)).toBe(waiting);
}

/** What the portal says of each sede is what its own books say. */
async function agreesWithBooks({ owner, books, product, warehouses }: Shop, sedes: string[]): Promise<void> {
  const day = bogotaDate(new Date());
  for (const [i, { tickets, received, tax, stock }] of books.entries()) {
    const of = `location_id=${sedes[i]}`;
    const { totals } = (await owner.get(`/reports/sales?by=day&from=${day}&to=${day}&${of}`)).body;
    expect(totals).toMatchObject({ tickets, received, tax });
    expect((await owner.get(`/days/${day}/z?${of}`)).body.sums).toMatchObject({ tickets, received, tax });
    expect((await owner.get(`/products?counted=true&${of}`)).body.data[0].stock).toBeCloseTo(stock, 3);
    const levels = (await owner.get(`/products/${product}`)).body.warehouses as {
      warehouse_id: string;
      stock: number;
    }[];
    expect(levels.find(({ warehouse_id }) => warehouse_id === warehouses[i])!.stock).toBeCloseTo(stock, 3);
  }
}

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
async function openShop(owner: Portal, sedes: string[], chance: Chance): Promise<Shop> {
  const tills: Till[] = [];
  for (const name of ["Caja 1", "Caja 2", "Caja 3", "Caja 4"])
    tills.push(await enrol(service, owner.accountId, { name, capabilities: ableToReturn }));
  const product = productBody(new Date().toISOString());
  await upTo(tills[0]!, [{ type: "product", id: product.id, data: upload(product) }]);
  const warehouses: string[] = [];
  for (const location_id of sedes) {
    const made = await owner.post("/warehouses", { name: "Bodega", location_id }, { "idempotency-key": randomUUID() });
    expect(made.status, made.text).toBe(201);
    warehouses.push(made.body.id);
  }
  const counters: Counter[] = [];
  for (const [i, till] of tills.entries()) {
    const place = i % 2;
    await owner.put(`/devices/${till.deviceId}/location`, { location_id: sedes[place] });
    const shift = cashSessionBody(new Date().toISOString(), { register_name: `Caja ${i + 1}`, status: "open" });
    await upTo(till, [{ type: "cash_session", id: shift.id, data: upload(shift) }]);
    counters.push({ till, shift: shift.id, place });
  }
  const books = sedes.map(() => ({ tickets: 0, received: 0, tax: 0, stock: 0 }));
  const done = { sale: 0, return: 0, cancel: 0, transfer: 0, send: 0, receive: 0, settle: 0 };
  return { owner, chance, product: product.id, warehouses, counters, books, sold: [], travels: [], done };
}
