import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { revokeDevice } from "../../src/access/devices/revoke-device.ts";

import { storeRecords } from "../../src/api/sync/push/store-records.ts";
import { verify } from "../../src/operations/verify/verify.ts";
import { openAgain } from "../support/portal.ts";
import {
  cashMovementBody,
  cashSessionBody,
  customerBody,
  invoiceBody,
  movementBody,
  productBody,
  quoteBody,
  saleBody,
  variantBody,
  warehouseBody,
} from "../support/records.ts";
import { enrol, type Till, upload } from "../support/register.ts";
import { type Business, type Service, startService } from "../support/service.ts";

let service: Service;
let shop: Business;
let till: Till;
beforeAll(async () => {
  service = await startService();
});
beforeEach(async () => {
  shop = await service.business();
  till = await enrol(service, shop.accountId);
});
afterAll(async () => {
  expect((await verify(service.deps.pool)).problems).toEqual([]);
  await service[Symbol.asyncDispose]();
});

const now = () => new Date().toISOString();
const sale = (fields: object = {}) => upload(saleBody(now(), fields));
const eventTypes = async (business = shop): Promise<string[]> =>
  (await business.api.get("/events?order=asc&limit=100")).body.data.map((event: { type: string }) => event.type);
const rows = async (text: string, values: unknown[] = [shop.accountId]) =>
  (await service.deps.pool.query(text, values)).rows;
type Flag = { type: string; record_id: string; findings: { field: string }[] };
/** What the owner sees of the register's odd records. */
const flagged = async () =>
  (await (await openAgain(service, shop, "")).get(`/devices/${till.deviceId}/flagged`)).body.data;

test("a sale is stored as it was sent and announced once", async () => {
  const data = sale();
  expect(await till.put("sale", data)).toEqual({ device_seq: 1, status: "applied", code: null, record: null });
  const read = await shop.api.get(`/sales/${data.id}`);
  expect(read.body).toMatchObject({ object: "sale", ...data, invoices: [] });
  expect(read.body.created_at).toBe(read.body.updated_at);
  expect(await eventTypes()).toEqual(["sale.created", "sale.completed"]);
  const [event] = (await shop.api.get("/events?type=sale.created")).body.data;
  expect(event.data.object).toEqual(read.body);
});

test("a push says how far the register is acked", async () => {
  const answer = await till.push([
    { type: "sale", data: sale() },
    { type: "sale", data: sale() },
  ]);
  expect(answer.body).toMatchObject({ acked_seq: 2, epoch: expect.any(String), server_time: expect.any(String) });
  expect(answer.body.results.map((one: { device_seq: number }) => one.device_seq)).toEqual([1, 2]);
});

test("the same push again is a duplicate and emits nothing, whatever the order of its keys", async () => {
  const data = sale();
  const first = await till.push([{ type: "sale", id: data.id, data, edited_at: null }]);
  till.next = 1;
  const again = await till.push([
    {
      data: Object.fromEntries(Object.entries(data).reverse()),
      id: data.id,
      type: "sale",
      edited_at: null,
      base_seq: 9,
    },
  ]);
  expect(again.body.results).toMatchObject([{ device_seq: 1, status: "duplicate" }]);
  expect(again.body.acked_seq).toBe(first.body.acked_seq);
  expect(await eventTypes()).toEqual(["sale.created", "sale.completed"]);
});

test("a retry that brings new records too stores only these", async () => {
  const [a, b] = [sale(), sale()];
  await till.push([{ type: "sale", id: a.id, data: a, edited_at: null }]);
  till.next = 1;
  const { body } = await till.push([
    { type: "sale", id: a.id, data: a, edited_at: null },
    { type: "sale", id: b.id, data: b, edited_at: null },
  ]);
  expect(body.results.map((one: { status: string }) => one.status)).toEqual(["duplicate", "applied"]);
  expect(await eventTypes()).toHaveLength(4);
});

test("a retry after the log's thirty days still emits nothing", async () => {
  const data = sale();
  await till.push([{ type: "sale", id: data.id, data, edited_at: null }]);
  await service.deps.pool.query("delete from events where account_id = $1", [shop.accountId]);
  till.next = 1;
  await till.push([{ type: "sale", id: data.id, data, edited_at: null }]);
  const fresh = await enrol(service, shop.accountId);
  expect(await fresh.put("sale", data)).toMatchObject({ status: "duplicate" });
  expect(await eventTypes()).toEqual([]);
});

test("a number used again with other content is a fork, and nothing is stored", async () => {
  await till.put("sale", sale());
  till.next = 1;
  const data = sale();
  const answer = await till.push([{ type: "sale", id: data.id, data }]);
  expect([answer.status, answer.body.error.code]).toEqual([409, "DEVICE_FORKED"]);
  expect((await shop.api.get(`/sales/${data.id}`)).status).toBe(404);
});

test("a missing number is a gap, with the number expected", async () => {
  await till.put("sale", sale());
  till.next = 5;
  const answer = await till.push([{ type: "sale", data: sale() }]);
  expect([answer.status, answer.body.error.code, answer.body.error.expected]).toEqual([409, "DEVICE_SEQ_GAP", 2]);
});

test("a register restored from a backup enrols anew, pushes again, and its records dedupe", async () => {
  const [known, lost, open] = [sale(), sale(), sale({ status: "open" })];
  await till.push([known, open, lost].map((data) => ({ type: "sale", id: data.id, data })));
  // The backup is from before `lost`; its number now means another sale.
  till.next = 3;
  const newer = sale();
  expect((await till.push([{ type: "sale", id: newer.id, data: newer }])).body.error.code).toBe("DEVICE_FORKED");

  const renewed = await enrol(service, shop.accountId);
  const all = [known, open, newer].map((data) => ({ type: "sale", id: data.id, data }));
  const again = await renewed.push(all);
  expect(again.body.results.map((one: { status: string }) => one.status)).toEqual([
    "duplicate",
    "duplicate",
    "applied",
  ]);
  const completed = await renewed.put("sale", { ...open, status: "completed" });
  expect(completed.status).toBe("applied");
  expect((await shop.api.get(`/sales/${open.id}`)).body.status).toBe("completed");
  expect(await eventTypes()).toEqual([
    ...["sale.created", "sale.completed", "sale.created", "sale.created", "sale.completed"],
    ...["sale.created", "sale.completed", "sale.updated", "sale.completed"],
  ]);
});

test("a sale's states are announced once each, its changes each time", async () => {
  const data = sale({ status: "open" });
  for (const status of ["open", "completed", "open", "completed", "cancelled"])
    await till.put("sale", { ...data, status });
  expect(await eventTypes()).toEqual([
    "sale.created",
    ...["sale.updated", "sale.completed"],
    "sale.updated",
    "sale.updated",
    ...["sale.updated", "sale.cancelled"],
  ]);
});

test("several versions of a sale in one push are announced as each of them was, in the order of the push", async () => {
  const data = sale({ status: "open", total: 6400 });
  const tab = sale({ status: "open" });
  const invoice = upload(invoiceBody(now(), { sale_id: data.id }));
  const version = (of: typeof data, fields: object) => ({ type: "sale", id: of.id, data: { ...of, ...fields } });
  await till.push([
    version(data, {}),
    version(tab, { notes: "mesa 3" }),
    version(data, { total: 9000 }),
    version(data, { status: "completed", total: 7000 }),
    { type: "invoice", id: invoice.id, data: invoice },
    version(tab, { notes: "mesa 4" }),
    version(data, { status: "cancelled", total: 7000 }),
  ]);
  const { body } = await shop.api.get("/events?order=asc&limit=100");
  const told = body.data.map(
    ({ type, data: { object } }: { type: string; data: { object: Record<string, unknown> } }) => [
      type,
      object.status,
      object.object === "sale" ? [object.total, object.notes, (object.invoices as unknown[]).length] : object.sale_id,
    ],
  );
  expect(told).toEqual([
    ["sale.created", "open", [6400, null, 0]],
    ["sale.created", "open", [6400, "mesa 3", 0]],
    ["sale.updated", "open", [9000, null, 0]],
    ["sale.updated", "completed", [7000, null, 0]],
    ["sale.completed", "completed", [7000, null, 0]],
    ["invoice.issued", "issued", data.id],
    ["sale.updated", "open", [6400, "mesa 4", 0]],
    ["sale.updated", "cancelled", [7000, null, 1]],
    ["sale.cancelled", "cancelled", [7000, null, 1]],
  ]);
  const stored = (await shop.api.get(`/sales/${data.id}`)).body;
  expect(body.data.at(-1).data.object).toEqual(stored);
  for (const event of body.data) {
    expect(event.data.object.updated_at).toBe(stored.updated_at);
    expect((await shop.api.get(`/events/${event.id}`)).body).toEqual(event);
  }
});

test("a sale belongs to its register: another one's version is kept beside it, not applied", async () => {
  const data = sale({ status: "open" });
  await till.put("sale", data);
  const other = await enrol(service, shop.accountId);
  const result = await other.put("sale", { ...data, status: "cancelled" });
  expect(result).toMatchObject({ status: "merged", record: { id: data.id, status: "open" } });
  expect(await rows("select lost->>'status' as status from conflicts where account_id = $1")).toEqual([
    { status: "cancelled" },
  ]);
  await revokeDevice(service.deps, { accountId: shop.accountId, deviceId: till.deviceId });
  expect(await other.put("sale", { ...data, status: "cancelled" })).toMatchObject({ status: "applied" });
});

test("a sale that does not add up or has an unknown status is applied and flagged", async () => {
  const odd = sale({ total: 1, status: "fiado", document_kind: "remision" });
  expect(await till.put("sale", odd)).toMatchObject({ status: "applied" });
  const read = (await shop.api.get(`/sales/${odd.id}`)).body;
  expect([read.total, read.status, read.document_kind]).toEqual([1, "fiado", "pos"]);
  const [{ type, record_id, findings }] = await flagged();
  expect([type, record_id]).toEqual(["sale", odd.id]);
  expect(findings.map((one: { field: string }) => one.field)).toEqual(["document_kind", "total", "tax", "status"]);
  await till.put("sale", { ...odd, total: 6400, status: "completed", document_kind: "pos" });
  expect(await flagged()).toEqual([]);
});

const published = [
  ["customer", customerBody, "/customers", { person_type: "person", document_type: "CC", contact_channel: "none" }],
  ["product", productBody, "/products", { kind: "simple", tax_class: "standard", base_unit: "und" }],
  ["sale", saleBody, "/sales", { document_kind: "pos" }],
  ["invoice", invoiceBody, "/invoices", { document_type: "other", status: "pending" }],
  ["cash_session", cashSessionBody, "/cash-sessions", { status: "open" }],
  ["quote", quoteBody, "/quotes", { status: "draft" }],
] as const;

test.each(published)(
  "what the contract does not list in a %s takes its default, and the owner sees what came",
  async (type, body, path, defaults) => {
    const raw = Object.fromEntries(Object.keys(defaults).map((field) => [field, `${field} de otra caja`]));
    const data = { ...upload(body(now())), ...raw };
    expect(await till.put(type, data)).toMatchObject({ status: "applied", code: null });
    expect((await shop.api.get(`${path}/${data.id}`)).body).toMatchObject(defaults);
    expect(await flagged()).toMatchObject([
      { type, record_id: data.id, findings: Object.entries(raw).map(([field, got]) => ({ field, got })) },
    ]);
    const owner = await openAgain(service, shop, "");
    expect((await owner.get("/devices")).body.data).toMatchObject([{ quarantined: 0, flagged: 1 }]);
  },
);

test("a flag stays while others edit around it, and goes with the value, or with the record", async () => {
  const customer = upload(customerBody(now(), { contact_channel: "tiktok" as never }));
  await till.put("customer", customer);
  await till.put("customer", { phone: "300" }, { id: customer.id });
  await till.put("customer", { ...customer, phone: "301" }, { changed: ["phone"] });
  expect(await flagged()).toMatchObject([{ record_id: customer.id, device_seq: 3 }]);
  await till.put("customer", { contact_channel: "instagram" }, { id: customer.id });
  expect(await flagged()).toEqual([]);
  await till.put("customer", { ...customer, document_type: "RUT" }, { changed: ["document_type"] });
  expect((await flagged())[0].findings).toMatchObject([{ field: "document_type", got: "RUT" }]);
  expect((await shop.api.get(`/customers/${customer.id}`)).body.contact_channel).toBe("instagram");
  await till.put("customer", {}, { id: customer.id, op: "delete" });
  expect(await flagged()).toEqual([]);
});

test("a discount that is no percentage does not count, and is flagged", async () => {
  const product = upload(productBody(now(), { base_price: 3000, final_price: 2400, percent_discount: 150 }));
  const variants = [150, 20].map((percent_discount) =>
    upload(variantBody(now(), product.id, { base_price: 1000, final_price: 800, percent_discount })),
  );
  await till.put("product", { ...product, variants });
  const read = (await shop.api.get(`/products/${product.id}`)).body;
  expect([read.final_price, read.percent_discount]).toEqual([2400, 20]);
  expect(read.variants.map((one: { percent_discount: number }) => one.percent_discount)).toEqual([20, 20]);
  const fields = async () => (await flagged()).flatMap((one: Flag) => one.findings.map(({ field }) => field));
  expect(await fields()).toEqual(["percent_discount", `variants.${variants[0]!.id}.percent_discount`, "variants"]);
  await till.put("product", { percent_discount: -5 }, { id: product.id, changed: ["percent_discount"] });
  expect((await shop.api.get(`/products/${product.id}`)).body).toMatchObject({
    final_price: 2400,
    percent_discount: 20,
  });
  await till.put("product", { base_price: 3100 }, { id: product.id, changed: ["base_price"] });
  expect(await fields()).toEqual([`variants.${variants[0]!.id}.percent_discount`, "variants"]);
  await till.put("quote", { ...upload(quoteBody(now())), discount_percent: 101 });
  expect((await flagged())[0]).toMatchObject({ type: "quote", findings: [{ field: "discount_percent", got: 101 }] });
});

test("two default warehouses are both flagged until one is left", async () => {
  const [first, second] = [warehouseBody(now()), warehouseBody(now())].map(upload);
  await till.put("warehouse", first!);
  expect(await flagged()).toEqual([]);
  await till.put("warehouse", second!);
  const ids = (await flagged()).map((one: Flag) => one.record_id);
  expect(ids.toSorted()).toEqual([first!.id, second!.id].toSorted());
  await till.put("warehouse", { name: "Bodega" }, { id: second!.id });
  expect(await flagged()).toHaveLength(2);
  await till.put("warehouse", { is_default: false }, { id: first!.id });
  expect(await flagged()).toEqual([]);
});

test("a shift's sums follow its movements, or the shift is flagged", async () => {
  const session = upload(cashSessionBody(now()));
  const { cash_in, cash_out, expected_amount, ...unsummed } = session;
  const movements = [
    upload(cashMovementBody(now(), session.id, { type: "in", amount: 5_000 })),
    upload(cashMovementBody(now(), session.id, { type: "out", amount: 20_000 })),
  ];
  await till.put("cash_session", { ...unsummed, movements });
  const path = `/cash-sessions/${session.id}`;
  expect((await shop.api.get(path)).body).toMatchObject({ cash_in: 5_000, cash_out: 20_000, expected_amount: 85_000 });
  expect(await flagged()).toEqual([]);
  const wrong = { cash_in: 1, cash_out: 2, expected_amount: 3, counted_amount: 10, difference: 4 };
  await till.put("cash_session", { ...session, movements, ...wrong });
  expect((await shop.api.get(path)).body).toMatchObject(wrong);
  expect((await flagged())[0].findings).toMatchObject([
    { field: "cash_in", expected: 5_000, got: 1 },
    { field: "cash_out", expected: 20_000, got: 2 },
    { field: "expected_amount", expected: 99_999, got: 3 },
    { field: "difference", expected: 7, got: 4 },
  ]);
  const odd = { ...movements[0], type: "retiro" };
  await till.put("cash_session", { ...unsummed, movements: [odd] });
  expect((await shop.api.get(path)).body).toMatchObject({
    cash_in: 0,
    cash_out: 25_000,
    movements: [{ type: "out" }, {}],
  });
  expect((await flagged())[0].findings).toMatchObject([{ field: `movements.${odd.id}.type`, got: "retiro" }]);
});

test("a movement of a type nobody knows moves the stock the right way or not at all, and is flagged", async () => {
  const product = upload(productBody(now()));
  const entries = [
    { type: "in", quantity: 100, origin_type: "purchase" },
    { type: "salida", quantity: 10, origin_type: null },
    { type: "recipe_explosion", quantity: 5, origin_type: "recipe_explosion" },
    { type: "insumo", quantity: 2, origin_type: "sale" },
    { type: "traslado", quantity: 7, origin_type: null },
    { type: "traslado", quantity: -1, origin_type: null },
  ].map((fields) => upload(movementBody(now(), { ...fields, product_id: product.id, unit_cost: null, sale_id: null })));
  const records = entries.map((data) => ({ type: "stock_movement", id: data.id, data }));
  // Before its product, with it and after it: the sum is the same.
  await till.push(records.slice(0, 2));
  await till.push([records[2]!, { type: "product", id: product.id, data: product } as never, records[3]!]);
  await till.push(records.slice(4));
  expect((await shop.api.get(`/products/${product.id}`)).body.stock).toBe(100 - 10 - 5 - 2 - 1);
  const flags = new Map((await flagged()).map((one: Flag) => [one.record_id, one.findings[0]!]));
  expect(entries.map(({ id }) => flags.get(id))).toEqual([
    undefined,
    expect.objectContaining({ got: "salida", message: expect.stringContaining("se restó") }),
    expect.objectContaining({ got: "recipe_explosion" }),
    expect.objectContaining({ got: "insumo" }),
    expect.objectContaining({ message: expect.stringContaining("no movió las existencias") }),
    expect.objectContaining({ message: expect.stringContaining("se restó") }),
  ]);
});

test.each([
  ["2026-10-01t08:15:00z", "2026-10-01T08:15:00.000Z"],
  ["2026-10-01T08:15:00.1234567-05:00", "2026-10-01T13:15:00.123Z"],
  ["9999-12-31T23:59:59-05:00", "9999-12-31T23:59:59-05:00"],
])("an instant that a register writes as %s is the same instant in one notation", async (sent, kept) => {
  const session = upload(cashSessionBody(sent, { status: "closed", closed_at: sent }));
  const records = [
    { type: "sale", data: sale({ occurred_at: sent }) },
    { type: "invoice", data: upload(invoiceBody(sent)) },
    { type: "cash_session", data: { ...session, movements: [upload(cashMovementBody(sent, session.id))] } },
    { type: "quote", data: upload(quoteBody(sent, { expires_at: sent, accepted_at: sent })) },
  ].map((record) => ({ ...record, id: record.data.id, edited_at: "2026-10-01t08:15:00.123456z" }));
  const { body } = await till.push(records, { sent_at: now().toLowerCase() });
  expect(body.results.map((one: { status: string }) => one.status)).toEqual(records.map(() => "applied"));
  const read = async (path: string, i: number) => (await shop.api.get(`/${path}/${records[i]!.id}`)).body;
  expect((await read("sales", 0)).occurred_at).toBe(kept);
  expect((await read("invoices", 1)).issued_at).toBe(kept);
  expect(await read("cash-sessions", 2)).toMatchObject({
    opened_at: kept,
    closed_at: kept,
    movements: [{ occurred_at: kept }],
  });
  expect(await read("quotes", 3)).toMatchObject({
    issued_at: kept,
    expires_at: kept,
    sent_at: kept,
    accepted_at: kept,
  });
  const { data } = (await shop.api.get(`/sales?occurred_since=${encodeURIComponent(sent)}`)).body;
  expect(data).toHaveLength(sent.includes(".") ? 0 : 1);
});

test("a sale that was stored in small letters before is in order for the check too", async () => {
  const data = sale({ occurred_at: "2026-10-01T08:15:00.000Z" });
  await till.put("sale", data);
  await service.deps.pool.query(
    "update sales set body = replace(body::text, '2026-10-01T08:15:00.000Z', '2026-10-01t08:15:00z')::json where id = $1",
    [data.id],
  );
  expect((await verify(service.deps.pool)).problems).toEqual([]);
});

test("sales that reached the server before 2026-09-28 carry their arrival as occurred_at", async () => {
  const early = new Date("2026-09-27T15:00:00.000Z");
  const writers = { ...service.deps, clock: { now: () => early } };
  const device = { deviceId: till.deviceId, accountId: shop.accountId } as never;
  const data = sale({ occurred_at: "2026-09-20T10:00:00-05:00", status: "open" });
  await service.deps.pool.query("update account_clock set ts = $2 where account_id = $1", [shop.accountId, early]);
  const record = { device_seq: till.next++, type: "sale", id: data.id, op: "upsert", data };
  await storeRecords({ ...writers, clock: writers.clock as never }, device, {
    records: [record],
    skewMs: 0,
    mayHoldUnstorable: false,
  });
  const arrived = (await shop.api.get(`/sales/${data.id}`)).body;
  expect(arrived.occurred_at).toBe(arrived.created_at);
  await till.put("sale", { ...data, status: "completed" });
  expect((await shop.api.get(`/sales/${data.id}`)).body.occurred_at).toBe(arrived.created_at);
});

test("one poisoned record in a batch of 200 delays none of the others", async () => {
  const records = Array.from({ length: 200 }, () => {
    const data = sale();
    return { type: "sale", id: data.id, data: data as object };
  });
  const poisons = [
    { type: "sale", data: "not an object" },
    { type: "sale", data: { ...sale(), total: "3200" } },
    { type: "sale", data: { ...sale(), notes: "nul \u0000" } },
    { type: "sale", data: { ...sale(), notes: "half \ud800" } },
    { type: "sale", id: "no-uuid", data: sale() },
    { type: "spaceship", data: {} },
    { type: "sale", op: "destroy", data: sale() },
    { type: "warehouse", op: "delete", data: {} },
    { type: "sale", edited_at: [{ toString: null, valueOf: null }], data: sale() },
    { type: "product", data: { base_price: 100 } },
    { type: "stock_movement", data: { product_id: randomUUID(), type: "in", quantity: 1e300 } },
  ];
  for (const [i, poison] of poisons.entries()) records.splice(i * 18, 1, poison as never);
  const { status, body } = await till.push(records);
  expect(status).toBe(200);
  const statuses = body.results.map((one: { status: string }) => one.status);
  expect(statuses.filter((one: string) => one === "applied")).toHaveLength(189);
  expect(poisons.map((_, i) => statuses[i * 18])).toEqual(poisons.map(() => "quarantined"));
  expect(body.acked_seq).toBe(200);
  const kept = await rows("select raw, reason from quarantined_records where account_id = $1 order by device_seq");
  expect(kept).toHaveLength(11);
  expect(JSON.parse(kept[2].raw).data.notes).toBe("nul \u0000");
  expect(JSON.parse(kept[3].raw).data.notes).toBe("half \ud800");
});

test("a record nested beyond all measure is set aside, once, and the others are stored", async () => {
  const sent_at = new Date().toISOString();
  const deep = `{"device_seq":2,"type":"sale","id":"${randomUUID()}","op":"upsert","data":${"[".repeat(60_000)}${"]".repeat(60_000)}}`;
  const [first, third] = [1, 3].map((device_seq) =>
    JSON.stringify({ device_seq, type: "sale", id: randomUUID(), op: "upsert", data: sale() }),
  );
  const push = (records: (string | undefined)[]) =>
    till.send("POST", "/push", `{"sent_at":"${sent_at}","records":[${records.join(",")}]}`);
  const statuses = ({ body }: { body: { results: { status: string }[] } }) => body.results.map(({ status }) => status);
  expect(statuses(await push([first, deep, third]))).toEqual(["applied", "quarantined", "applied"]);
  expect(statuses(await push([deep, deep, third]))).toEqual(["duplicate", "duplicate", "duplicate"]);
  expect(await rows("select 1 from quarantined_records where account_id = $1")).toHaveLength(1);
});

test("a record over 256 KiB is set aside with no more of it than that, and the others are stored", async () => {
  const lines = Array.from({ length: 900 }, () => ({ ...sale().items[0]!, description: "x".repeat(300) }));
  const large = { ...sale(), items: lines };
  const { status, body } = await till.push([
    { type: "sale", data: sale() },
    { type: "sale", data: large },
    { type: "sale", data: sale() },
  ]);
  expect(status).toBe(200);
  expect(body.results.map((one: { status: string }) => one.status)).toEqual(["applied", "quarantined", "applied"]);
  const [kept] = await rows("select raw, reason from quarantined_records where account_id = $1");
  expect(Buffer.byteLength(kept.raw)).toBe(256 * 1024);
  expect(kept.reason).toMatch(/pesa \d+ KiB y el máximo es 256 KiB/);
});

test("a text that is too long is cut to the API's limit, and the whole of it is shown beside the record", async () => {
  const notes = "ñ".repeat(6_000);
  const data = { ...sale({ notes }), ignored: notes };
  expect((await till.put("sale", data)).status).toBe("applied");
  expect((await shop.api.get(`/sales/${data.id}`)).body.notes).toBe("ñ".repeat(5_000));
  // The same again is the same, not another version of it.
  expect((await till.put("sale", data)).status).toBe("duplicate");
  const id = randomUUID();
  const images = [`https://example.com/${"a".repeat(3_000)}`, "https://example.com/b.png"];
  await till.put("product", { id, name: "😀".repeat(201), base_price: 100, images });
  const product = (await shop.api.get(`/products/${id}`)).body;
  expect([product.name, product.images]).toEqual(["😀".repeat(200), ["https://example.com/b.png"]]);
  const kept = await rows(
    "select record_id, field, lost from conflicts where account_id = $1 order by found_at, field",
  );
  expect(kept.map((one) => [one.record_id, one.field, JSON.parse(one.lost)])).toEqual([
    [data.id, "notes", notes],
    [id, "images.0", images[0]],
    [id, "name", "😀".repeat(201)],
  ]);
});

test("uploads that each fit cannot together make a shift larger than a mebibyte", async () => {
  const shift = { id: randomUUID(), status: "open", opened_at: new Date().toISOString() };
  const movements = () =>
    Array.from({ length: 1_300 }, () => ({ id: randomUUID(), type: "in", amount: 1, occurred_at: shift.opened_at }));
  const statuses = [];
  for (let i = 0; i < 4; i++)
    statuses.push((await till.put("cash_session", { ...shift, movements: movements() })).status);
  expect(statuses).toEqual(["applied", "applied", "quarantined", "quarantined"]);
  expect((await shop.api.get(`/cash-sessions/${shift.id}`)).body.movements).toHaveLength(2_600);
  expect(await rows("select 1 from quarantined_records where account_id = $1")).toHaveLength(2);
});

test("a record that the database refuses for a reason nobody foresaw is set aside, and the others are stored", async () => {
  const victim = randomUUID();
  await service.deps.pool.query(`
    create function refuse() returns trigger language plpgsql as $$
    begin if new.id = '${victim}' then raise exception 'unforeseen'; end if; return new; end $$;
    create trigger refuse before insert on sales for each row execute function refuse()`);
  try {
    const records = [randomUUID(), victim, randomUUID()].map((id) => ({ type: "sale", id, data: sale({ id }) }));
    const { body } = await till.push(records);
    expect(body.results.map((one: { status: string }) => one.status)).toEqual(["applied", "quarantined", "applied"]);
    expect(body.acked_seq).toBe(3);
    till.next = 1;
    expect((await shop.api.get(`/sales/${records[2]!.id}`)).status).toBe(200);
  } finally {
    await service.deps.pool.query("drop trigger refuse on sales; drop function refuse");
  }
});

test("a mebibyte of garbage gets a clear answer and stores nothing", async () => {
  const junk = "x".repeat(1024 * 1024);
  const cases: [string, number, string][] = [
    [`${junk}x`, 413, "PAYLOAD_TOO_LARGE"],
    [junk.slice(0, 1000), 400, "INVALID_JSON"],
    ["[1,2,3]", 400, "VALIDATION_ERROR"],
    [JSON.stringify({ records: [{ device_seq: "1" }] }), 400, "VALIDATION_ERROR"],
    [
      JSON.stringify({ records: Array.from({ length: 201 }, (_, i) => ({ device_seq: i + 1 })) }),
      400,
      "VALIDATION_ERROR",
    ],
  ];
  for (const [body, status, code] of cases) {
    const answer = await till.send("POST", "/push", body);
    expect([answer.status, answer.body.error.code]).toEqual([status, code]);
  }
  const unknown = await till.send("GET", "/nowhere");
  expect([unknown.status, unknown.body.error.code]).toEqual([404, "ROUTE_NOT_FOUND"]);
});

test("a movement moves the stock of its product, in whatever order both arrive", async () => {
  const product = upload(productBody(now(), { base_unit: "kg" }));
  const entries = [
    { type: "in", quantity: 10, unit_cost: 2000 },
    { type: "sale", quantity: 0.25 },
    { type: "in", quantity: 30, unit_cost: 4000 },
  ].map((fields) => upload(movementBody(now(), { unit_cost: null, ...fields, product_id: product.id })));
  const orders = [
    [product, ...entries],
    [...entries, product],
    [entries[2]!, entries[0]!, product, entries[1]!],
  ];
  for (const order of orders) {
    for (const together of [true, false]) {
      const business = await service.business();
      const one = await enrol(service, business.accountId);
      const records = order.map((data) => ({
        type: data === product ? "product" : "stock_movement",
        id: data.id,
        data,
      }));
      for (const group of together ? [records] : records.map((record) => [record])) await one.push(group);
      const read = (await business.api.get(`/products/${product.id}`)).body;
      expect([read.stock, read.unit_cost]).toEqual([39, 3500]);
      const types = await eventTypes(business);
      expect(types.filter((type) => type === "inventory.movement.created")).toHaveLength(3);
      expect(types.filter((type) => type !== "inventory.movement.created")).toEqual(["product.created"]);
    }
  }
});

test("a movement is appended once: the same id with other content changes nothing", async () => {
  const product = upload(productBody(now()));
  await till.put("product", product);
  const movement = upload(movementBody(now(), { product_id: product.id, type: "in", quantity: 5 }));
  await till.put("stock_movement", movement);
  expect(await till.put("stock_movement", movement)).toMatchObject({ status: "duplicate" });
  expect(await till.put("stock_movement", { ...movement, quantity: 50 })).toMatchObject({
    status: "merged",
    record: { quantity: 5 },
  });
  expect((await shop.api.get(`/products/${product.id}`)).body.stock).toBe(5);
});

test("a movement before its warehouse waits for it without a second event", async () => {
  const product = upload(productBody(now()));
  const warehouse = upload(warehouseBody(now()));
  const movement = upload(movementBody(now(), { product_id: product.id, warehouse_id: warehouse.id }));
  await till.put("product", product);
  expect(await till.put("stock_movement", movement)).toMatchObject({ status: "parked" });
  const early = (await shop.api.get(`/inventory/movements/${movement.id}`)).body;
  expect(early.warehouse_id).toBeNull();
  await till.put("warehouse", warehouse);
  const bound = (await shop.api.get(`/inventory/movements/${movement.id}`)).body;
  expect(bound.warehouse_id).toBe(warehouse.id);
  expect(bound.updated_at > early.updated_at).toBe(true);
  expect(bound.created_at).toBe(early.created_at);
  expect(await till.put("stock_movement", movement)).toMatchObject({ status: "duplicate" });
  expect(await eventTypes()).toEqual(["product.created", "inventory.movement.created"]);
});

test("a document before its sale waits for it, and the sale lists it", async () => {
  const data = sale();
  const invoice = upload(
    invoiceBody(now(), { sale_id: data.id, document_type: "internal_invoice", status: "pending" }),
  );
  expect(await till.put("invoice", invoice)).toMatchObject({ status: "parked" });
  expect((await shop.api.get(`/invoices/${invoice.id}`)).body.sale_id).toBeNull();
  await till.put("sale", data);
  expect((await shop.api.get(`/invoices/${invoice.id}`)).body.sale_id).toBe(data.id);
  const listed = (await shop.api.get(`/sales/${data.id}`)).body;
  expect(listed.invoices).toEqual([
    {
      id: invoice.id,
      document_type: "internal_invoice",
      status: "pending",
      cufe: invoice.cufe,
      prefix: "EPOS",
      number: 1024,
    },
  ]);
  await till.put("invoice", { ...invoice, status: "issued" });
  await till.put("invoice", { ...invoice, status: "annulled" });
  await till.put("invoice", { ...invoice, status: "issued" });
  const after = (await shop.api.get(`/sales/${data.id}`)).body;
  expect(after.invoices[0].status).toBe("issued");
  expect(after.updated_at > listed.updated_at).toBe(true);
  expect(await eventTypes()).toEqual(["sale.created", "sale.completed", "invoice.issued"]);
});

test("a document and its sale in one push find each other in either order", async () => {
  for (const saleFirst of [true, false]) {
    const data = sale();
    const invoice = upload(invoiceBody(now(), { sale_id: data.id }));
    const records = [
      { type: "sale", id: data.id, data },
      { type: "invoice", id: invoice.id, data: invoice },
    ];
    await till.push(saleFirst ? records : records.toReversed());
    expect((await shop.api.get(`/sales/${data.id}`)).body.invoices).toHaveLength(1);
    expect((await shop.api.get(`/invoices/${invoice.id}`)).body.sale_id).toBe(data.id);
  }
});

test("a shift is announced when it closes, once, and none of its cash movements is ever lost", async () => {
  const session = upload(cashSessionBody(now()));
  const movement = upload(cashMovementBody(now(), session.id));
  await till.put("cash_session", { ...session, movements: [movement] });
  await till.put("cash_session", { ...session, status: "closed", counted_amount: 99_000, movements: [] });
  await till.put("cash_session", { ...session, status: "open" });
  await till.put("cash_session", { ...session, status: "closed", counted_amount: 99_000, closed_at: now() });
  const read = (await shop.api.get(`/cash-sessions/${session.id}`)).body;
  expect(read).toMatchObject({ status: "closed", counted_amount: 99_000 });
  expect(read.movements).toMatchObject([{ object: "cash_movement", id: movement.id, amount: 20_000 }]);
  expect(await eventTypes()).toEqual(["cash_session.closed"]);
});

test("a customer made on a register is announced, edited and deleted as the table says", async () => {
  const customer = upload(customerBody(now(), { name: "Ana" }));
  await till.put("customer", customer);
  await till.put("customer", { ...customer, phone: "300" }, { changed: ["phone"] });
  await till.put("customer", {}, { id: customer.id, op: "delete" });
  expect((await shop.api.get(`/customers/${customer.id}`)).status).toBe(404);
  const deleted = (await shop.api.get(`/customers/${customer.id}?include_deleted=true`)).body;
  expect(deleted).toMatchObject({ phone: "300", deleted_at: expect.any(String) });
  expect(await till.put("customer", { ...customer, phone: "301" }, { changed: ["phone"] })).toMatchObject({
    status: "merged",
  });
  expect((await eventTypes()).slice(0, 2)).toEqual(["customer.created", "customer.updated"]);
  expect((await shop.api.get(`/customers/${customer.id}`)).status).toBe(404);
});

test("a deleted quote is gone for the API and stays a tombstone for registers", async () => {
  const quote = upload(quoteBody(now()));
  await till.put("quote", quote);
  await till.put("quote", { status: "accepted", accepted_at: now() }, { id: quote.id, changed: ["status"] });
  expect((await shop.api.get(`/quotes/${quote.id}`)).body).toMatchObject({ status: "accepted", total: 6400 });
  await till.put("quote", {}, { id: quote.id, op: "delete" });
  expect((await shop.api.get(`/quotes/${quote.id}`)).status).toBe(404);
  expect((await shop.api.get("/quotes")).body.data).toEqual([]);
  expect((await till.pull()).body.changes).toMatchObject([{ type: "quote", id: quote.id, deleted: true, data: null }]);
  expect(await eventTypes()).toEqual([]);
});

test("a variant is taken away by leaving it out, or on its own", async () => {
  const product = upload(productBody(now()));
  const variants = ["S", "M", "L"].map((label) => upload(variantBody(now(), product.id, { label })));
  await till.put("product", { ...product, variants });
  const labels = async () =>
    (await shop.api.get(`/products/${product.id}`)).body.variants.map((one: { label: string }) => one.label);
  await till.put("product", { ...product, variants: variants.slice(1) }, { changed: ["variants"] });
  expect(await labels()).toEqual(["M", "L"]);
  await till.put("product_variant", { product_id: product.id }, { id: variants[1]!.id, op: "delete" });
  expect(await labels()).toEqual(["L"]);
  const other = await enrol(service, shop.accountId);
  await other.put("product", { ...product, variants }, { changed: ["variants"] });
  expect(await labels()).toEqual(["L"]);
});

test("a product with a SKU that is taken is stored, and shown as a conflict", async () => {
  await shop.api.post("/products", { name: "Pan", base_price: 500, sku: "PAN" });
  const product = upload(productBody(now(), { sku: "PAN" }));
  expect(await till.put("product", product)).toMatchObject({ status: "applied" });
  expect((await shop.api.get("/products?sku=PAN")).body.data).toHaveLength(2);
  expect(await rows("select field, record_id from conflicts where account_id = $1")).toEqual([
    { field: "sku", record_id: product.id },
  ]);
});

test("a SKU that is shared is one conflict, however often its products are edited", async () => {
  const first = await shop.api.post("/products", { name: "Pan", base_price: 500, sku: "PAN" });
  const product = upload(productBody(now(), { sku: "PAN" }));
  await till.put("product", product);
  const conflicts = () => rows("select record_id from conflicts where account_id = $1 and field = 'sku'");
  const once = [{ record_id: product.id }];
  expect(await conflicts()).toEqual(once);
  await till.put("product", { name: "Pan de yuca" }, { id: product.id, changed: ["name"] });
  await till.put("product", { name: "Pan de queso" }, { id: first.body.id, changed: ["name"] });
  expect(await conflicts()).toEqual(once);
  await till.put("product", { sku: "YUCA" }, { id: product.id, changed: ["sku"] });
  await till.put("product", { sku: "PAN" }, { id: product.id, changed: ["sku"] });
  expect(await conflicts()).toEqual([...once, ...once]);
});

test("a list price that a register sends as it stands keeps the discount", async () => {
  const product = upload(productBody(now(), { base_price: 1000, final_price: 900, percent_discount: 10 }));
  await till.put("product", product);
  const send = (base_price: number) => till.put("product", { base_price }, { id: product.id, changed: ["base_price"] });
  await send(1000);
  const read = async () => (await shop.api.get(`/products/${product.id}`)).body;
  expect(await read()).toMatchObject({ base_price: 1000, final_price: 900, percent_discount: 10 });
  await send(1200);
  expect(await read()).toMatchObject({ base_price: 1200, final_price: 1200, percent_discount: 0 });
});

test("a product's cost and stock are the server's: an upload cannot write them", async () => {
  const product = upload(productBody(now()));
  await till.put("product", { ...product, stock: 99, unit_cost: 1500 });
  expect((await shop.api.get(`/products/${product.id}`)).body).toMatchObject({ stock: 0, unit_cost: 1500 });
});

test("an account without the Pro plan synchronizes, and records no events", async () => {
  const basic = await service.business({ plan: "basic" });
  const one = await enrol(service, basic.accountId);
  expect(await one.put("sale", sale())).toMatchObject({ status: "applied" });
  expect(await rows("select count(*) from events where account_id = $1", [basic.accountId])).toEqual([{ count: 0 }]);
});

test("a push that changes nothing leaves the account's clock where it was", async () => {
  const data = sale();
  await till.push([{ type: "sale", id: data.id, data, edited_at: null }]);
  const clock = () => rows("select seq, ts from account_clock where account_id = $1");
  const before = await clock();
  till.next = 1;
  await till.push([{ type: "sale", id: data.id, data, edited_at: null }]);
  await till.push([]);
  expect(await clock()).toEqual(before);
});

test("registers at once: each push has a seq of its own and none is skipped", async () => {
  const tills = await Promise.all(Array.from({ length: 4 }, () => enrol(service, shop.accountId)));
  await Promise.all(
    tills.map(async (one) => {
      for (let i = 0; i < 10; i++) await one.put("sale", sale());
    }),
  );
  const [{ seq }] = await rows("select seq from account_clock where account_id = $1");
  const seqs = await rows("select distinct seq from sales where account_id = $1 order by seq");
  expect(seqs.map((row) => row.seq)).toEqual(Array.from({ length: 40 }, (_, i) => i + 1));
  expect(seq).toBe(40);
});

test("a receipt that is no longer kept counts as a fork, never as a duplicate", async () => {
  const data = sale();
  await till.push([{ type: "sale", id: data.id, data, edited_at: null }]);
  await service.deps.pool.query("delete from push_receipts where account_id = $1", [shop.accountId]);
  await service.deps.pool.query("update device_progress set acked_seq = 0 where account_id = $1 and acked_seq < 0", [
    shop.accountId,
  ]);
  till.next = 1;
  const answer = await till.push([{ type: "sale", data: sale() }]);
  expect(answer.body.error.code).toBe("DEVICE_FORKED");
  await service.deps.pool.query("delete from device_progress where device_id = $1", [till.deviceId]);
});
