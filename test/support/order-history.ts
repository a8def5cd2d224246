import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { type Chance, newChance } from "../../simulator/chance.ts";
import { mayBecome, type OrderStatus, orderStates, orderStatuses } from "../../src/business/orders/states.ts";
import type { Answer } from "./client.ts";
import { type Till, type Record as Uploaded, upload } from "./register.ts";
import { saleOf } from "./returning.ts";
import type { Business } from "./service.ts";

// biome-ignore lint/suspicious/noExplicitAny: tests read answers as integrators would, without types
type Json = any;

/** Where a history happens: a service in this process, or one that is killed meanwhile. */
export interface World {
  shop: Business;
  /** Of the shop, each able to take orders. */
  tills: Till[];
  now(): Date;
  /** How soon something ends that is said to end soon: a number between 1 and 20 comes to this. */
  soonMs(some: number): number;
  /** Sends until there is an answer: the same request, under the same key or numbers. */
  insist<A extends Pick<Answer, "status">>(send: () => Promise<A>): Promise<A>;
  /** Lets some time go by, and ends what is due. */
  wait(chance: Chance): Promise<void>;
}

interface Register {
  till: Till;
  /** What it did while it was away, in order. */
  unsent: Uploaded[];
  isAway: boolean;
  chance: Chance;
}

export interface History {
  world: World;
  goods: Json[];
  registers: Register[];
  chance: Chance;
  /** As they were placed; where they are now only the service knows. */
  orders: Json[];
  sold: { saleId: string; orderId: string }[];
}

/** A shop with three products in stock and its registers. */
export async function begin(world: World, seed: number): Promise<History> {
  const goods = [];
  for (const name of ["Pan", "Leche", "Café"]) {
    const wish = { name, base_price: 1000, initial_stock: 500 };
    goods.push((await insisted(world, (key) => world.shop.api.post("/products", wish, key))).body);
  }
  const registers = world.tills.map((till) => ({
    till,
    unsent: [],
    isAway: false,
    chance: newChance(seed + 10_000),
  }));
  return { world, goods, registers, chance: newChance(seed), orders: [], sold: [] };
}

/** A write under one key, however often it is sent. */
function insisted(world: World, send: (key: Record<string, string>) => Promise<Answer>): Promise<Answer> {
  const key = { "idempotency-key": randomUUID() };
  return world.insist(() => send(key));
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
  [3, ({ world, chance }) => world.wait(chance)],
  [10, comeAndGo],
];

const bag = acts.flatMap(([weight, act]) => Array<typeof act>(weight).fill(act));

/** So many random acts; in the end every register is back. */
export async function live(history: History, steps: number): Promise<void> {
  for (let i = 0; i < steps; i++) {
    await history.chance.pick(bag)(history);
  }
  for (const register of history.registers) {
    register.isAway = false;
    await send(history.world, register);
  }
}

/** Some shops repeat themselves: then nothing new comes of it. */
async function place({ world, goods, chance, orders }: History): Promise<void> {
  const source = chance.pick(["Tienda web", "Domicilios"]);
  // However long the history, there are numbers that nobody has used.
  const external_id = `${chance.between(1, 25 + orders.length)}`;
  const items = goods
    .filter(() => chance.happens(0.6))
    .map(({ id }) => ({ product_id: id, quantity: chance.between(1, 4) }));
  const soon = (some: number) => new Date(world.now().getTime() + world.soonMs(some)).toISOString();
  const acceptMinutes = chance.between(1, 10);
  const expires = chance.happens(0.4) ? { expires_at: soon(acceptMinutes + chance.between(0, 10)) } : {};
  const accepts = chance.happens(0.3) ? { accept_by: soon(acceptMinutes) } : {};
  const body = { source, external_id, items, ...expires, ...accepts };
  if (items.length === 0) return;
  const answers = await Promise.all(
    Array.from({ length: chance.happens(0.2) ? 2 : 1 }, () =>
      insisted(world, (key) => world.shop.api.post("/orders", body, key)),
    ),
  );
  for (const { status, body: order } of answers) {
    expect(status).toBe(201);
    if (!orders.some(({ id }) => id === order.id)) orders.push(order);
  }
}

async function stepAt(history: History, status: string): Promise<void> {
  const { world, orders, registers, chance } = history;
  if (orders.length === 0) return;
  const { id } = chance.pick(orders.slice(-8));
  const register = chance.pick(registers);
  await record(world, register, { type: "order", id, data: { status, minutes: 15, reason: "No alcanza" } });
}

async function sell({ world, orders, registers, chance, sold }: History): Promise<void> {
  if (orders.length === 0) return;
  const order = chance.pick(orders.slice(-8));
  const lines = order.items.map(({ product_id, quantity, unit_price }: Json) => ({ product_id, quantity, unit_price }));
  const sale = { ...saleOf(lines), id: randomUUID() };
  sold.push({ saleId: sale.id, orderId: order.id });
  await record(world, chance.pick(registers), {
    type: "sale",
    id: sale.id,
    data: { ...upload(sale), order_id: order.id },
  });
}

async function cancel({ world, orders, chance }: History): Promise<void> {
  if (orders.length === 0) return;
  const { id } = chance.pick(orders.slice(-8));
  const { status } = await insisted(world, (key) => world.shop.api.post(`/orders/${id}/cancel`, {}, key));
  expect([200, 409]).toContain(status);
}

/** Both at once: one of them is first. */
async function cancelAgainstAccept(history: History): Promise<void> {
  const { world, orders, registers, chance } = history;
  if (orders.length === 0) return;
  const { id } = chance.pick(orders.slice(-3));
  const here = registers.filter(({ isAway }) => !isAway);
  await Promise.all([
    insisted(world, (key) => world.shop.api.post(`/orders/${id}/cancel`, {}, key)),
    ...here.map((register) => record(world, register, { type: "order", id, data: { status: "accepted" } })),
  ]);
}

async function comeAndGo({ world, registers, chance }: History): Promise<void> {
  const register = chance.pick(registers);
  register.isAway = !register.isAway;
  if (!register.isAway) await send(world, register);
}

async function record(world: World, register: Register, uploaded: Uploaded): Promise<void> {
  register.unsent.push(uploaded);
  if (!register.isAway) await send(world, register);
}

/** Now and then the answer is lost, and the register sends the same once more. */
async function send(world: World, { till, unsent, chance }: Register): Promise<void> {
  const sent_at = world.now().toISOString();
  const records = unsent
    .splice(0)
    .map((one) => ({ device_seq: till.next++, op: "upsert", edited_at: sent_at, ...one }));
  if (records.length === 0) return;
  const push = () => world.insist(() => till.send("POST", "/push", { sent_at, records }));
  const { status, body } = await push();
  expect(status).toBe(200);
  for (const result of body.results) expect(["applied", "merged", "duplicate"]).toContain(result.status);
  if (!chance.happens(0.15)) return;
  const again = await push();
  expect(again.body.results.map((result: Json) => result.status)).toEqual(records.map(() => "duplicate"));
}

export async function all({ insist, shop }: World, path: string): Promise<Json[]> {
  const found: Json[] = [];
  for (let after = ""; ; ) {
    const { body } = await insist(() => shop.api.get(`${path}${path.includes("?") ? "&" : "?"}limit=100${after}`));
    found.push(...body.data);
    if (!body.has_more) return found;
    after = `&starting_after=${body.next_cursor}`;
  }
}

/** One sale for each completed order, what is kept apart adds up, every event once. */
export async function check({ world, orders, sold, goods }: History): Promise<void> {
  const now = await all(world, "/orders");
  expect(now.map(({ id }) => id).toSorted()).toEqual(orders.map(({ id }) => id).toSorted());
  const keys = now.map(({ source, external_id }) => `${source} ${external_id}`);
  expect(new Set(keys).size).toBe(keys.length);
  expect(new Set(now.map(({ number }) => number)).size).toBe(now.length);

  // Each sale is its order's one, or an extra one; none is lost, and none is doubled.
  const sales = new Set((await all(world, "/sales")).map(({ id }) => id));
  expect([...sales].toSorted()).toEqual(sold.map(({ saleId }) => saleId).toSorted());
  for (const { id, status, sale_id, extra_sale_ids } of now) {
    const own = sold.filter(({ orderId }) => orderId === id).map(({ saleId }) => saleId);
    expect([...(sale_id ? [sale_id] : []), ...extra_sale_ids].toSorted()).toEqual(own.toSorted());
    expect(sale_id !== null).toBe(status === "completed");
  }

  // What is kept apart is what is accepted.
  const levels = await all(world, "/inventory/levels");
  for (const { id } of goods) {
    const open = now.filter(({ status }) => orderStates[status as OrderStatus].reserves);
    const wanted = open.flatMap(({ items }) => items).filter(({ product_id }) => product_id === id);
    const kept = levels.filter(({ product_id }) => product_id === id);
    const sum = (some: Json[], name: string) => some.reduce((total, one) => total + one[name], 0);
    expect(sum(kept, "reserved")).toBe(sum(wanted, "quantity"));
  }

  // Each event once, along the table of states, and the last one says where the order is.
  const events = await all(world, `/events?order=asc&type=${orderStatuses.map((one) => `order.${one}`).join(",")}`);
  for (const { id, status } of now) {
    const steps = events.filter(({ data }) => data.object.id === id).map(({ type }) => type.slice("order.".length));
    expect(new Set(steps).size).toBe(steps.length);
    expect([steps[0], steps.at(-1)]).toEqual(["placed", status]);
    for (const [i, step] of steps.slice(1).entries())
      expect([steps[i], step, mayBecome(steps[i], step)]).toEqual([steps[i], step, true]);
  }
}
