import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { type Chance, newChance } from "../../simulator/chance.ts";
import { endDueOrders } from "../../src/business/orders/expire.ts";
import { mayBecome, type OrderStatus, orderStates, orderStatuses } from "../../src/business/orders/states.ts";
import { minute } from "../../src/lib/clock.ts";
import { verifiedService } from "../support/fixtures.ts";
import { takesOrders } from "../support/orders.ts";
import { enrol, type Till, type Record as Uploaded, upload } from "../support/register.ts";
import { saleOf } from "../support/returning.ts";
import type { Business } from "../support/service.ts";

/** Random days of orders: LONG=1 lives many of them. */
const histories = process.env.LONG ? 60 : 4;
const stepsEach = process.env.LONG ? 120 : 45;
const firstSeed = Number(process.env.FAULT_SEED ?? 1);

const service = verifiedService();

// biome-ignore lint/suspicious/noExplicitAny: tests read answers as integrators would, without types
type Json = any;

interface Register {
  till: Till;
  /** What it did while it was away, in order. */
  unsent: Uploaded[];
  isAway: boolean;
  chance: Chance;
}

interface History {
  shop: Business;
  goods: Json[];
  registers: Register[];
  chance: Chance;
  /** As they were placed; where they are now only the service knows. */
  orders: Json[];
  sold: { saleId: string; orderId: string }[];
}

async function begin(seed: number): Promise<History> {
  const shop = await service.business();
  const goods = [];
  for (const name of ["Pan", "Leche", "Café"])
    goods.push((await shop.api.post("/products", { name, base_price: 1000, initial_stock: 500 })).body);
  const registers = [];
  for (const name of ["Caja 1", "Caja 2"])
    registers.push({
      till: await enrol(service, shop.accountId, { name, capabilities: takesOrders }),
      unsent: [],
      isAway: false,
      chance: newChance(seed + 10_000),
    });
  return { shop, goods, registers, chance: newChance(seed), orders: [], sold: [] };
}

/** What may happen, and how often of a hundred. */
const acts: [weight: number, act: (history: History) => Promise<unknown>][] = [
  [22, place],
  [24, (history) => stepAt(history, "accepted")],
  [10, (history) => stepAt(history, "ready")],
  [5, (history) => stepAt(history, "rejected")],
  [16, sell],
  [5, cancel],
  [5, cancelAgainstAccept],
  [3, expire],
  [10, comeAndGo],
];

async function live(history: History): Promise<void> {
  for (let i = 0; i < stepsEach; i++) {
    let at = history.chance.between(1, 100);
    const [, act] = acts.find(([weight]) => (at -= weight) <= 0) ?? acts[0]!;
    await act(history);
  }
  for (const register of history.registers) {
    register.isAway = false;
    await send(register);
  }
}

/** Some shops repeat themselves: then nothing new comes of it. */
async function place({ shop, goods, chance, orders }: History): Promise<void> {
  const source = chance.pick(["Tienda web", "Domicilios"]);
  const external_id = `${chance.between(1, 25)}`;
  const items = goods
    .filter(() => chance.happens(0.6))
    .map(({ id }) => ({ product_id: id, quantity: chance.between(1, 4) }));
  const expires = chance.happens(0.4) ? { expires_at: soon(chance.between(1, 20)) } : {};
  const accepts = chance.happens(0.3) ? { accept_by: soon(chance.between(1, 10)) } : {};
  const body = { source, external_id, items, ...expires, ...accepts };
  if (items.length === 0) return;
  const answers = await Promise.all(
    Array.from({ length: chance.happens(0.2) ? 2 : 1 }, () => shop.api.post("/orders", body)),
  );
  for (const { status, body: order } of answers) {
    expect(status).toBe(201);
    if (!orders.some(({ id }) => id === order.id)) orders.push(order);
  }
}

const soon = (minutes: number) => new Date(service.deps.clock.now().getTime() + minutes * minute).toISOString();

async function stepAt(history: History, status: string): Promise<void> {
  const { orders, registers, chance } = history;
  if (orders.length === 0) return;
  const { id } = chance.pick(orders.slice(-8));
  const register = chance.pick(registers);
  await record(register, { type: "order", id, data: { status, minutes: 15, reason: "No alcanza" } });
}

async function sell({ orders, registers, chance, sold }: History): Promise<void> {
  if (orders.length === 0) return;
  const order = chance.pick(orders.slice(-8));
  const lines = order.items.map(({ product_id, quantity, unit_price }: Json) => ({ product_id, quantity, unit_price }));
  const sale = { ...saleOf(lines), id: randomUUID() };
  sold.push({ saleId: sale.id, orderId: order.id });
  await record(chance.pick(registers), { type: "sale", id: sale.id, data: { ...upload(sale), order_id: order.id } });
}

async function cancel({ shop, orders, chance }: History): Promise<void> {
  if (orders.length === 0) return;
  const { id } = chance.pick(orders.slice(-8));
  const { status } = await shop.api.post(`/orders/${id}/cancel`, {});
  expect([200, 409]).toContain(status);
}

/** Both at once: one of them is first. */
async function cancelAgainstAccept(history: History): Promise<void> {
  const { orders, registers, chance } = history;
  if (orders.length === 0) return;
  const { id } = chance.pick(orders.slice(-3));
  const here = registers.filter(({ isAway }) => !isAway);
  await Promise.all([
    history.shop.api.post(`/orders/${id}/cancel`, {}),
    ...here.map((register) => record(register, { type: "order", id, data: { status: "accepted" } })),
  ]);
}

/** Time passes, and several processes look at once. */
async function expire({ chance }: History): Promise<void> {
  const { clock } = service.deps;
  clock.shiftTo(clock.offsetMs() + chance.between(1, 15) * minute);
  await Promise.all([endDueOrders(service.deps), endDueOrders(service.deps)]);
}

async function comeAndGo({ registers, chance }: History): Promise<void> {
  const register = chance.pick(registers);
  register.isAway = !register.isAway;
  if (!register.isAway) await send(register);
}

async function record(register: Register, uploaded: Uploaded): Promise<void> {
  register.unsent.push(uploaded);
  if (!register.isAway) await send(register);
}

/** Now and then the answer is lost, and the register sends the same once more. */
async function send({ till, unsent, chance }: Register): Promise<void> {
  const sent_at = service.deps.clock.now().toISOString();
  const records = unsent
    .splice(0)
    .map((one) => ({ device_seq: till.next++, op: "upsert", edited_at: sent_at, ...one }));
  if (records.length === 0) return;
  const push = () => till.send("POST", "/push", { sent_at, records });
  const { status, body } = await push();
  expect(status).toBe(200);
  for (const result of body.results) expect(["applied", "merged", "duplicate"]).toContain(result.status);
  if (!chance.happens(0.15)) return;
  const again = await push();
  expect(again.body.results.map((result: Json) => result.status)).toEqual(records.map(() => "duplicate"));
}

async function all(shop: Business, path: string): Promise<Json[]> {
  const found: Json[] = [];
  for (let after = ""; ; ) {
    const { body } = await shop.api.get(`${path}${path.includes("?") ? "&" : "?"}limit=100${after}`);
    found.push(...body.data);
    if (!body.has_more) return found;
    after = `&starting_after=${body.next_cursor}`;
  }
}

async function check({ shop, orders, sold, goods }: History): Promise<void> {
  const now = await all(shop, "/orders");
  expect(now.map(({ id }) => id).toSorted()).toEqual(orders.map(({ id }) => id).toSorted());
  const keys = now.map(({ source, external_id }) => `${source} ${external_id}`);
  expect(new Set(keys).size).toBe(keys.length);
  expect(new Set(now.map(({ number }) => number)).size).toBe(now.length);

  // Each sale is its order's one, or an extra one; none is lost, and none is doubled.
  const sales = new Set((await all(shop, "/sales")).map(({ id }) => id));
  expect([...sales].toSorted()).toEqual(sold.map(({ saleId }) => saleId).toSorted());
  for (const { id, status, sale_id, extra_sale_ids } of now) {
    const own = sold.filter(({ orderId }) => orderId === id).map(({ saleId }) => saleId);
    expect([...(sale_id ? [sale_id] : []), ...extra_sale_ids].toSorted()).toEqual(own.toSorted());
    expect(sale_id !== null).toBe(status === "completed");
  }

  // What is kept apart is what is accepted.
  const levels = await all(shop, "/inventory/levels");
  for (const { id } of goods) {
    const open = now.filter(({ status }) => orderStates[status as OrderStatus].reserves);
    const wanted = open.flatMap(({ items }) => items).filter(({ product_id }) => product_id === id);
    const kept = levels.filter(({ product_id }) => product_id === id);
    const sum = (some: Json[], name: string) => some.reduce((total, one) => total + one[name], 0);
    expect(sum(kept, "reserved")).toBe(sum(wanted, "quantity"));
  }

  // Each event once, along the table of states, and the last one says where the order is.
  const events = await all(shop, `/events?order=asc&type=${orderStatuses.map((one) => `order.${one}`).join(",")}`);
  for (const { id, status } of now) {
    const steps = events.filter(({ data }) => data.object.id === id).map(({ type }) => type.slice("order.".length));
    expect(new Set(steps).size).toBe(steps.length);
    expect([steps[0], steps.at(-1)]).toEqual(["placed", status]);
    for (const [i, step] of steps.slice(1).entries())
      expect([steps[i], step, mayBecome(steps[i], step)]).toEqual([steps[i], step, true]);
  }
}

test.each(Array.from({ length: histories }, (_, i) => firstSeed + i))(
  "history %i: one sale for each completed order, what is kept apart adds up, every event once",
  async (seed) => {
    const history = await begin(seed);
    try {
      await live(history);
      await check(history);
    } finally {
      service.deps.clock.shiftTo(0);
    }
  },
  600_000,
);
