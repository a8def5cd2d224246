import { expect, test } from "vitest";
import { revokeDevice } from "../../src/access/devices/revoke-device.ts";
import { storeRecords } from "../../src/api/sync/push/store-records.ts";
import { verify } from "../../src/operations/verify/verify.ts";
import { watchPackets } from "../support/interfere.ts";
import { cashMovementBody, cashSessionBody, invoiceBody, quoteBody } from "../support/records.ts";
import { enrol, upload } from "../support/register.ts";
import { now, registerPerTest, sale } from "../support/registered-shop.ts";

const { eventTypes, rows, service, shop, till } = registerPerTest();

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

test("new sales take two round trips: one reads behind the account's lock, the other stores and commits", async () => {
  const { sent, stop } = watchPackets(service.deps.pool);
  const results = await till.push([sale(), sale()].map((data) => ({ type: "sale", id: data.id, data })));
  stop();
  expect(results.body.results.map(({ status }: { status: string }) => status)).toEqual(["applied", "applied"]);
  expect(sent.map((texts) => texts.join("; "))).toEqual([
    expect.stringMatching(/^begin; .*for update.*from device_progress.*from sales.*$/s),
    expect.stringMatching(/^insert into sales.*commit$/s),
  ]);
});

test("each state of a sale is announced once, each change every time", async () => {
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

test("several versions of a sale in one push are each announced, in the order of the push", async () => {
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
  expect(new Set(body.data.map((event: { created_at: string }) => event.created_at)).size).toBe(body.data.length);
  for (const event of body.data) {
    expect((await shop.api.get(`/events/${event.id}`)).body).toEqual(event);
  }
});

test("a sale belongs to its register: another register's version is kept as a conflict, not applied", async () => {
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

test("a document that arrives before its sale is linked to it later, and the sale lists it", async () => {
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

test("a document and its sale in one push are linked, whichever comes first", async () => {
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

test("a shift is announced once, when it closes, and none of its cash movements is ever lost", async () => {
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

test.each([
  ["2026-10-01t08:15:00z", "2026-10-01T08:15:00.000Z"],
  ["2026-10-01T08:15:00.1234567-05:00", "2026-10-01T13:15:00.123Z"],
  ["9999-12-31T23:59:59-05:00", "9999-12-31T23:59:59-05:00"],
])("an instant that a register writes as %s is stored as %s", async (sent, kept) => {
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

test("a sale whose instants an earlier version stored in lower case passes the check too", async () => {
  const data = sale({ occurred_at: "2026-10-01T08:15:00.000Z" });
  await till.put("sale", data);
  await service.deps.pool.query(
    "update sales set body = replace(body::text, '2026-10-01T08:15:00.000Z', '2026-10-01t08:15:00z')::json where id = $1",
    [data.id],
  );
  expect((await verify(service.deps.pool)).problems).toEqual([]);
});

test("a sale that reached the server before 2026-09-28 has its arrival as occurred_at", async () => {
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

test("an account without the Pro plan synchronizes and records no events", async () => {
  const basic = await service.business({ plan: "basic" });
  const one = await enrol(service, basic.accountId);
  expect(await one.put("sale", sale())).toMatchObject({ status: "applied" });
  expect(await rows("select count(*) from events where account_id = $1", [basic.accountId])).toEqual([{ count: 0 }]);
});
