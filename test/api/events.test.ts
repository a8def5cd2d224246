import { randomUUID } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import { setAccount } from "../../src/access/accounts/set-account.ts";
import { customers } from "../../src/business/customers/resource.ts";
import { Order } from "../../src/business/orders/schema.ts";
import { Purchase } from "../../src/business/purchases/schema.ts";
import { Return } from "../../src/business/returns/schema.ts";
import { Supplier } from "../../src/business/suppliers/schema.ts";
import { sql } from "../../src/db/sql.ts";
import { type EventType, eventTypes } from "../../src/engine/events/event-types.ts";
import type { RecordBody } from "../../src/engine/resources/resource.ts";
import { writing } from "../../src/engine/writing/writing.ts";
import { day } from "../../src/lib/clock.ts";
import { EndpointRecord } from "../../src/webhooks/endpoints/endpoint-record.ts";
import { shared, sharedService } from "../support/fixtures.ts";
import { holdClock, waitingSessions } from "../support/hold-clock.ts";
import {
  cashSessionBody,
  customerBody,
  invoiceBody,
  movementBody,
  productBody,
  quoteBody,
  saleBody,
} from "../support/records.ts";
import { refusal } from "../support/refusal.ts";
import { type Business, startService } from "../support/service.ts";
import { stopClock } from "../support/time.ts";

const service = sharedService();
const clock = shared(() => stopClock(service, new Date("2026-10-01T15:04:05.678Z")));
afterEach(() => service.deps.access.clear());

const bodies: [string, (at: string) => RecordBody][] = [
  ["sale.", saleBody],
  ["product.", productBody],
  ["customer.", customerBody],
  ["inventory.movement.", movementBody],
  ["invoice.", invoiceBody],
  ["cash_session.", cashSessionBody],
  ["quote.", quoteBody],
  ["return.", (at) => ({ ...exampleOf(Return), id: randomUUID(), created_at: at, updated_at: at })],
  ["order.", (at) => ({ ...exampleOf(Order), id: randomUUID(), created_at: at, updated_at: at })],
  ["supplier.", (at) => ({ ...exampleOf(Supplier), id: randomUUID(), created_at: at, updated_at: at })],
  ["purchase.", (at) => ({ ...exampleOf(Purchase), id: randomUUID(), created_at: at, updated_at: at })],
  ["webhook_endpoint.", (at) => ({ ...exampleOf(EndpointRecord), id: randomUUID(), created_at: at, updated_at: at })],
];

const exampleOf = (schema: object) => (schema as { examples: RecordBody[] }).examples[0]!;

/** One write that stores a customer and emits one event per type. */
function emit({ accountId }: Business, ...types: EventType[]): Promise<string> {
  return writing(service.deps, accountId, (write) => {
    const at = write.at.toISOString();
    const body = customerBody(at);
    write.put(customers, { body });
    for (const type of types) write.emit(type, bodies.find(([start]) => type.startsWith(start))![1](at));
    return body.id;
  });
}

const typesIn = async ({ api }: Business, query = "") =>
  (await api.get(`/events?order=asc&limit=100${query}`)).body.data.map((event: { type: string }) => event.type);

test("an event carries the object as it was when it happened, and never changes", async () => {
  const { api } = await service.business();
  const created = await api.post("/customers", { name: "Ana" });
  const edited = await api.patch(`/customers/${created.body.id}`, { name: "Eva" });
  const { body, text } = await api.get("/events");
  expect(body.data).toEqual([
    {
      object: "event",
      id: expect.stringMatching(/^[0-9a-f-]{14}7/),
      type: "customer.updated",
      created_at: edited.body.updated_at,
      sequence: 2,
      data: { object: edited.body },
    },
    {
      object: "event",
      id: expect.any(String),
      type: "customer.created",
      created_at: created.body.created_at,
      sequence: 1,
      data: { object: created.body },
    },
  ]);
  for (const answer of [created, edited]) expect(text).toContain(`"data":{"object":${answer.text}}`);
});

test("GET /events/{id} returns the event as the list does, byte by byte", async () => {
  const business = await service.business();
  await emit(business, "customer.created");
  const list = await business.api.get("/events");
  const { id } = list.body.data[0];
  for (const spelling of [id, id.toUpperCase()]) {
    const { status, text } = await business.api.get(`/events/${spelling}`);
    expect(status).toBe(200);
    expect(list.text).toContain(`[${text}]`);
  }
});

test("an event that does not exist, or belongs to another account, is not found", async () => {
  const [owner, stranger] = [await service.business(), await service.business()];
  await emit(owner, "customer.created");
  const { id } = (await owner.api.get("/events")).body.data[0];
  expect(refusal(await stranger.api.get(`/events/${id}`))).toEqual([404, "NOT_FOUND", "id"]);
  // The same instant with other random bits, an id without a time, and the last instant an id can hold.
  const neighbour = id.slice(0, -1) + (id.endsWith("0") ? "1" : "0");
  for (const other of [neighbour, randomUUID(), "ffffffff-ffff-7fff-bfff-ffffffffffff"]) {
    expect(refusal(await owner.api.get(`/events/${other}`))).toEqual([404, "NOT_FOUND", "id"]);
  }
  expect(refusal(await owner.api.get("/events/evt_1"))).toEqual([400, "VALIDATION_ERROR", "id"]);
});

test("events of one write keep the order in which they were emitted, ascending and descending", async () => {
  const business = await service.business();
  const order: EventType[] = ["sale.created", "sale.completed", "invoice.issued", "customer.updated", "sale.updated"];
  await emit(business, ...order);
  expect(await typesIn(business)).toEqual(order);
  const { body } = await business.api.get("/events");
  expect(body.data.map((event: { type: string }) => event.type)).toEqual(order.toReversed());
});

test("type selects one type, or several separated by commas", async () => {
  const business = await service.business();
  await emit(business, ...eventTypes);
  for (const type of eventTypes) expect(await typesIn(business, `&type=${type}`)).toEqual([type]);
  expect(await typesIn(business, "&type=sale.created,product.updated")).toEqual(["sale.created", "product.updated"]);
  expect(await typesIn(business, "&type=invoice.issued,%20sale.created")).toEqual(["sale.created", "invoice.issued"]);
  expect(await typesIn(business, `&type=${[...eventTypes, ...eventTypes].slice(0, 20).join(",")}`)).toEqual(
    eventTypes.slice(0, 20),
  );
});

test("unknown types and too many types are refused instead of matching nothing", async () => {
  const { api } = await service.business();
  const tooMany = Array(21).fill("sale.created").join(",");
  for (const type of ["sale.deleted", "sale.created,ventas", "SALE.CREATED", "", ",", tooMany]) {
    expect([type, ...refusal(await api.get(`/events?type=${type}`))]).toEqual([type, 400, "VALIDATION_ERROR", "type"]);
  }
  expect(refusal(await api.get("/events?order=up"))).toEqual([400, "VALIDATION_ERROR", "order"]);
});

test("webhook.test is a type that never appears in the log", async () => {
  const business = await service.business();
  await emit(business, ...eventTypes);
  expect((await business.api.get("/events?type=webhook.test")).body.data).toEqual([]);
  expect(await typesIn(business, "&type=webhook.test,sale.created")).toEqual(["sale.created"]);
});

test("at the end of the log in ascending order, the cursor leads to the events that come next", async () => {
  const business = await service.business();
  await emit(business, "sale.created", "sale.completed");
  const first = await business.api.get("/events?order=asc");
  expect(first.body).toMatchObject({ has_more: false, next_cursor: expect.any(String) });
  const tail = () => business.api.get(`/events?order=asc&starting_after=${first.body.next_cursor}`);
  expect((await tail()).body).toMatchObject({ data: [], has_more: false, next_cursor: first.body.next_cursor });
  await emit(business, "sale.updated");
  expect((await tail()).body.data.map((event: { type: string }) => event.type)).toEqual(["sale.updated"]);
});

test("a write that fails leaves neither a record nor an event", async () => {
  const business = await service.business();
  const failing = writing(service.deps, business.accountId, (write) => {
    const body = customerBody(write.at.toISOString());
    write.put(customers, { body });
    write.emit("customer.created", body);
    throw new Error("a write that fails");
  });
  await expect(failing).rejects.toThrow("a write that fails");
  expect((await business.api.get("/customers")).body.data).toEqual([]);
  expect(await typesIn(business)).toEqual([]);
});

test("a change whose event cannot be recorded is rolled back", async () => {
  const business = await service.business();
  const { pool } = service.deps;
  await pool.query("alter table events add constraint refused check (false) not valid");
  const key = { "idempotency-key": randomUUID() };
  try {
    const answer = await business.api.post("/customers", { name: "Ana" }, key);
    expect(refusal(answer)).toEqual([500, "INTERNAL_ERROR", undefined]);
    expect((await business.api.get("/customers")).body.data).toEqual([]);
  } finally {
    await pool.query("alter table events drop constraint refused");
  }
  expect((await business.api.post("/customers", { name: "Ana" }, key)).status).toBe(201);
  expect(await typesIn(business)).toEqual(["customer.created"]);
});

test("a day whose partitions are missing gets them with the next write, which succeeds as usual", async () => {
  await using own = await startService();
  const business = await own.business();
  const ana = await business.api.post("/customers", { name: "Ana" });
  const lost = (table: string) => `${table}_${ana.body.created_at.slice(0, 10).replaceAll("-", "")}`;
  await own.deps.pool.query(
    `drop table ${["events", "idempotency_keys", "mails", "request_log"].map(lost).join(", ")}`,
  );
  const key = { "idempotency-key": randomUUID() };
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => business.api.post("/customers", { name: "Eva" }, key)),
  );
  const made = answers.filter(({ status }) => status === 201);
  expect(new Set(made.map(({ text }) => text)).size).toBe(1);
  expect(answers.map(({ status }) => status).filter((status) => status >= 500)).toEqual([]);
  const edited = await business.api.patch(`/customers/${ana.body.id}`, { phone: "300 123 4567" });
  expect(edited.status).toBe(200);
  expect(await typesIn(business)).toEqual(["customer.created", "customer.updated"]);
});

test("an account whose clock was left far ahead by a wrong host clock can still write", async () => {
  const business = await service.business();
  const farAhead = new Date(clock.at.getTime() + 400 * day);
  await service.deps.pool.query(
    sql`update account_clock set ts = ${farAhead} where account_id = ${business.accountId}`,
  );
  expect((await business.api.post("/customers", { name: "Ana" })).status).toBe(201);
  expect(await typesIn(business)).toEqual(["customer.created"]);
});

test("no events are recorded for an account without Pro, not even later", async () => {
  const business = await service.business({ plan: "basic" });
  await emit(business, "customer.created");
  await setAccount(service.deps, business.accountId, { plan: "pro" });
  service.deps.access.clear();
  expect((await business.api.get("/customers")).body.data.length).toBe(1);
  expect(await typesIn(business)).toEqual([]);
});

test("events stop when Pro ends and resume when it returns; earlier ones stay readable", async () => {
  const business = await service.business();
  await emit(business, "sale.created");
  await setAccount(service.deps, business.accountId, { plan: "basic" });
  await emit(business, "sale.completed");
  await setAccount(service.deps, business.accountId, { plan: "pro" });
  await emit(business, "sale.updated");
  await setAccount(service.deps, business.accountId, { active: false });
  await emit(business, "sale.cancelled");
  await setAccount(service.deps, business.accountId, { active: true });
  service.deps.access.clear();
  expect(await typesIn(business)).toEqual(["sale.created", "sale.updated"]);
});

test("a write that was waiting when Pro ended records no event", async () => {
  const business = await service.business();
  const held = await holdClock(service.deps, business.accountId);
  const losing = setAccount(service.deps, business.accountId, { plan: "basic" });
  while ((await waitingSessions(service.deps)) < 1);
  const behind = emit(business, "sale.created");
  while ((await waitingSessions(service.deps)) < 2);
  await held.release();
  await Promise.all([losing, behind]);
  await setAccount(service.deps, business.accountId, { plan: "pro" });
  service.deps.access.clear();
  expect(await typesIn(business)).toEqual([]);
});

test("writes whose instant falls after midnight before the clock gets there find the next day's partition", async () => {
  const business = await service.business();
  for (const days of [0, 1, 2, 3, 4]) {
    const lastMoment = Date.parse("2026-10-01T23:59:59.999Z") + days * day;
    clock.moveTo(lastMoment);
    await emit(business, "sale.created");
    // The account's clock gives each version its own millisecond: this one already falls on the next day.
    await emit(business, "sale.completed");
    const { body } = await business.api.get(`/events?created_since=${clock.at.toISOString()}`);
    expect(body.data.map((event: { created_at: string }) => Date.parse(event.created_at))).toEqual([
      lastMoment + 2,
      lastMoment,
    ]);
  }
});

test("an event is readable for 30 days to the millisecond, and its partition is dropped once all its events have expired", async () => {
  const business = await service.business();
  await emit(business, "sale.created");
  const { id, created_at } = (await business.api.get("/events")).body.data[0];
  const lastReadable = Date.parse(created_at) + 30 * day;

  clock.moveTo(lastReadable);
  expect(await typesIn(business)).toEqual(["sale.created"]);
  expect((await business.api.get(`/events/${id}`)).status).toBe(200);

  clock.moveTo(lastReadable + 1);
  expect(await typesIn(business)).toEqual([]);
  expect(refusal(await business.api.get(`/events/${id}`))).toEqual([404, "NOT_FOUND", "id"]);

  const partition = `events_${created_at.slice(0, 10).replaceAll("-", "")}`;
  const lastMomentOfItsDay = Date.parse(`${created_at.slice(0, 10)}T23:59:59.999Z`) + 30 * day;
  clock.moveTo(lastMomentOfItsDay);
  // It waits a moment for whoever still reads a partition, and otherwise leaves it to the next time.
  await expect.poll(() => service.deps.partitions.dropExpired(clock.at)).not.toContain(partition);
  clock.moveTo(lastMomentOfItsDay + 1);
  await expect.poll(() => service.deps.partitions.dropExpired(clock.at)).toContain(partition);
  // A line of the request log from before the clock jumped may bring its day back once more.
  await expect.poll(() => service.deps.partitions.dropExpired(clock.at)).toEqual([]);

  await emit(business, "sale.completed");
  expect(await typesIn(business)).toEqual(["sale.completed"]);
});
