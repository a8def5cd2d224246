import { randomUUID } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { verifiedService } from "../support/fixtures.ts";
import { enterAs } from "../support/people.ts";
import { openPortal, type Portal } from "../support/portal.ts";
import { productBody } from "../support/records.ts";
import { enrol, upload } from "../support/register.ts";

const service = verifiedService();

let owner: Portal;
let centro: Portal;
let norte: Portal;
let product: string;
let weighed: string;
let from: string;
let to: string;

beforeEach(async () => {
  owner = await openPortal(service);
  await owner.get("/locations");
  const place = (await owner.post("/locations", { name: "Norte" })).body.id as string;
  const open = async (name: string, location_id: string) =>
    (await post(owner, "/warehouses", { name, location_id })).body.id as string;
  from = await open("Centro", owner.accountId);
  to = await open("Norte", place);
  const at = new Date().toISOString();
  const made = [
    productBody(at, { name: "Café" }),
    productBody(at, { name: "Queso", base_unit: "kg", sold_by_weight: true }),
  ];
  [product, weighed] = [made[0]!.id, made[1]!.id];
  const till = await enrol(service, owner.accountId);
  const entered = { type: "in", origin_type: null, warehouse_id: from };
  await till.push([
    ...made.map((one) => ({ type: "product", id: one.id, data: upload(one) })),
    { type: "stock_movement", data: { ...entered, product_id: product, quantity: 20 } },
    { type: "stock_movement", data: { ...entered, product_id: weighed, quantity: 8 } },
  ]);
  centro = await enterAs(service, owner.business, "manager", { locationIds: [owner.accountId] });
  norte = await enterAs(service, owner.business, "manager", { locationIds: [place] });
});

const post = (who: Portal, path: string, body: object, key: string = randomUUID()) =>
  who.post(path, body, { "idempotency-key": key });
const some = (coffee: number, cheese: number) => [
  { product_id: product, quantity: coffee },
  { product_id: weighed, quantity: cheese },
];
const send = (who: Portal, lines: object[], key?: string) =>
  post(who, "/transfers", { from_warehouse_id: from, to_warehouse_id: to, note: null, lines }, key);
const stocks = async (id: string) => {
  const { body } = await owner.get(`/products/${id}`);
  const of = (warehouse: string) =>
    body.warehouses.find((one: { warehouse_id: string }) => one.warehouse_id === warehouse)?.stock ?? 0;
  return [of(from), of(to), body.stock];
};
const onTheWay = async (who: Portal = owner) =>
  (await who.get("/transfers/on-the-way")).body.data.map(({ name, quantity }: { name: string; quantity: number }) => [
    name,
    quantity,
  ]);
const concerns = async (who: Portal) =>
  (await who.get("/attention")).body.data.flatMap(({ kind }: { kind: string }) =>
    kind.startsWith("transfer") ? kind : [],
  );

test("what one sede sends is in neither until the other receives it, and both movements say which transfer it was", async () => {
  const key = randomUUID();
  const { status, body: sent } = await send(centro, some(5, 1.25), key);
  expect([status, sent.state, sent.number]).toEqual([201, "sent", 1]);
  expect((await send(centro, some(5, 1.25), key)).body.id).toBe(sent.id);
  expect(await stocks(product)).toEqual([15, 0, 15]);
  expect(await onTheWay()).toEqual([
    ["Café", 5],
    ["Queso", 1.25],
  ]);
  expect([await concerns(norte), await concerns(centro)]).toEqual([["transfer_waiting"], []]);
  const received = await norte.post(`/transfers/${sent.id}/receive`, { lines: some(5, 1.25) });
  expect([received.status, received.body.state]).toEqual([200, "received"]);
  expect(await stocks(product)).toEqual([15, 5, 20]);
  expect(await stocks(weighed)).toEqual([6.75, 1.25, 8]);
  expect([await onTheWay(), await concerns(norte)]).toEqual([[], []]);
  const [line] = received.body.lines;
  const { data } = (await owner.get("/records/inventory/movements?limit=100")).body;
  const byId = new Map(data.map((one: { id: string }) => [one.id, one]));
  expect([byId.get(line.out_id), byId.get(line.in_ids[0])]).toMatchObject([
    { type: "transfer_out", warehouse_id: from, location_id: owner.accountId, reference: "Traslado 1", quantity: 5 },
    { type: "transfer_in", warehouse_id: to, reference: "Traslado 1", quantity: 5 },
  ]);
  expect((await norte.post(`/transfers/${sent.id}/receive`, { lines: some(1, 0) })).status).toBe(409);
});

test("what did not arrive stays told until it arrives, is back, or is given up", async () => {
  const { body: sent } = await send(centro, some(5, 2));
  const path = `/transfers/${sent.id}`;
  expect((await centro.post(`${path}/settle`, { as: "lost" })).status).toBe(409);
  const short = await norte.post(`${path}/receive`, { lines: some(3, 2) });
  expect([short.body.state, await onTheWay()]).toEqual(["short", [["Café", 2]]]);
  expect([await concerns(norte), await concerns(centro), await concerns(owner)]).toEqual([
    [],
    ["transfer_short"],
    ["transfer_short"],
  ]);
  const tooMuch = await norte.post(`${path}/receive`, { lines: some(3, 0) });
  expect([tooMuch.status, tooMuch.body.error.param]).toEqual([400, "lines.0.quantity"]);
  expect((await norte.post(`${path}/receive`, { lines: some(1, 0) })).body.state).toBe("short");
  const settled = await centro.post(`${path}/settle`, { as: "returned", note: "No cabía en la moto" });
  expect(settled.body).toMatchObject({ state: "settled", settled_as: "returned", settled_note: "No cabía en la moto" });
  expect(await stocks(product)).toEqual([16, 4, 20]);
  expect([await onTheWay(), await concerns(owner)]).toEqual([[], []]);
  const lost = (await send(centro, some(4, 1))).body.id;
  await norte.post(`/transfers/${lost}/receive`, { lines: some(0, 0) });
  expect((await centro.post(`/transfers/${lost}/settle`, { as: "lost" })).body.state).toBe("settled");
  expect(await stocks(product)).toEqual([12, 4, 16]);
  const actions = (await owner.get("/audit-log?limit=100")).body.data.map(({ action }: { action: string }) => action);
  expect(actions.filter((one: string) => one.startsWith("transfer."))).toHaveLength(8 - 1);
});

test("the sede that sends sends, the one it goes to receives, and others see nothing of it", async () => {
  expect((await send(norte, some(1, 1))).status).toBe(404);
  const { body: sent } = await send(centro, some(1, 1));
  const path = `/transfers/${sent.id}`;
  for (const who of [centro, norte, owner]) expect((await who.get(path)).body.id).toBe(sent.id);
  expect((await centro.post(`${path}/receive`, { lines: some(1, 1) })).status).toBe(403);
  await norte.post(`${path}/receive`, { lines: some(0, 1) });
  expect((await norte.post(`${path}/settle`, { as: "lost" })).status).toBe(403);
  const third = (await owner.post("/locations", { name: "Sur" })).body.id;
  const sur = await enterAs(service, owner.business, "manager", { locationIds: [third] });
  expect([(await sur.get(path)).status, (await sur.get("/transfers")).body.data]).toEqual([404, []]);
  expect([await onTheWay(sur), await concerns(sur)]).toEqual([[], []]);
  expect((await sur.post(`${path}/receive`, { lines: some(1, 0) })).status).toBe(404);
  const accountant = await enterAs(service, owner.business, "accountant");
  expect((await send(accountant, some(1, 1))).status).toBe(403);
  expect((await centro.get("/transfers/destinations")).body.data).toMatchObject([
    { name: "Norte", location_name: "Norte" },
    { name: "Centro" },
  ]);
});

test("between two warehouses of one sede goods arrive at once", async () => {
  const { body } = await post(owner, "/warehouses", { name: "Atrás", location_id: owner.accountId });
  const lines = some(2, 0.5);
  const sent = await post(centro, "/transfers", { from_warehouse_id: from, to_warehouse_id: body.id, lines });
  expect(sent.body).toMatchObject({ state: "received", lines: [{ sent: 2, received: 2 }, { received: 0.5 }] });
  expect((await stocks(product))[2]).toBe(20);
});

test("a transfer is refused where it makes no sense", async () => {
  const same = await post(centro, "/transfers", { from_warehouse_id: from, to_warehouse_id: from, lines: some(1, 1) });
  expect([same.status, same.body.error.param]).toEqual([400, "to_warehouse_id"]);
  const twice = await send(centro, [...some(1, 1), { product_id: product, quantity: 1 }]);
  expect([twice.status, twice.body.error.param]).toEqual([400, "lines.2.product_id"]);
  const broken = await send(centro, some(1.5, 1));
  expect([broken.status, broken.body.error.param]).toEqual([400, "lines.0.quantity"]);
  const unknown = await send(centro, [{ product_id: randomUUID(), quantity: 1 }]);
  expect([unknown.status, unknown.body.error.param]).toEqual([404, "lines.0.product_id"]);
  const nowhere = await post(centro, "/transfers", {
    ...{ from_warehouse_id: from, to_warehouse_id: randomUUID(), lines: some(1, 1) },
  });
  expect([nowhere.status, nowhere.body.error.param]).toEqual([404, "to_warehouse_id"]);
  expect(nowhere.body.error.message).toContain("`to_warehouse_id`");
  expect((await owner.get("/transfers")).body.data).toEqual([]);
});

test("of many that receive the same at once, one does, and many sent at once have a number each", async () => {
  const all = await Promise.all(Array.from({ length: 6 }, () => send(centro, some(2, 0.5))));
  expect(all.map(({ body }) => body.number).toSorted()).toEqual([1, 2, 3, 4, 5, 6]);
  const path = `/transfers/${all[0]!.body.id}/receive`;
  const answers = await Promise.all(Array.from({ length: 6 }, () => norte.post(path, { lines: some(2, 0.5) })));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409, 409]);
  expect(await stocks(product)).toEqual([8, 2, 10]);
  expect(await onTheWay()).toEqual([
    ["Café", 10],
    ["Queso", 2.5],
  ]);
});
