import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { sql } from "../../src/db/sql.ts";
import { fiscalBusiness } from "../support/fiscal.ts";
import { openAgain } from "../support/portal.ts";
import { customerBody, saleBody } from "../support/records.ts";
import { enrol, upload } from "../support/register.ts";
import { returningShop, returnOf } from "../support/returning.ts";
import { syncShape } from "../support/sync-shapes.ts";

const { service, shop, till, other, decide, sell, documents, stock } = returningShop();

const yesterday = "2026-11-17T15:04:05.000Z";
const query = (fields: Record<string, string>) => `/sales?${new URLSearchParams(fields)}`;

async function listed(fields: Record<string, string>, at = other): Promise<string[]> {
  const answer = await at.send("GET", query(fields));
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  syncShape("/sync/v1/sales", JSON.stringify(answer.body));
  return answer.body.sales.map(({ id }: { id: string }) => id);
}

test("a register finds another's sale by day, ticket, document, product, customer, amount and reference", async () => {
  const customer = customerBody(yesterday, { name: "Ána", last_name: "Muñoz", document_number: "52123456" });
  await till.put("customer", upload(customer));
  const sold = saleBody(yesterday, { customer_id: customer.id, occurred_at: yesterday });
  const data = upload(sold);
  const payments = [{ payment_method: "CARD", amount: sold.total, reference: "AP-777001" }];
  await till.push([{ type: "sale", id: sold.id, data, payments, ticket_number: 41 }]);
  const elsewhen = saleBody(new Date().toISOString());
  await sell(elsewhen);
  await decide();
  const [document] = await documents(sold.id);

  expect(await listed({ day: "2026-11-17" })).toEqual([sold.id]);
  expect(await listed({ day: "2026-11-16" })).toEqual([]);
  const number = `${document!.prefix}${document!.number}`;
  const name = sold.items[0]!.description!;
  for (const q of [
    "41",
    number,
    name.toUpperCase(),
    "ana muñoz",
    "ANA MUNOZ",
    "52123456",
    String(sold.total),
    "ap-777",
  ])
    expect(await listed({ day: "2026-11-17", q }), q).toEqual([sold.id]);
  expect(await listed({ day: "2026-11-17", q: "nadie" })).toEqual([]);
  expect(await listed({ q: "ap-777001" })).toEqual([sold.id]);
  expect(await listed({ day: "2026-11-17", register: "Caja 1" })).toEqual([sold.id]);
  expect(await listed({ day: "2026-11-17", register: "Caja 9" })).toEqual([]);
});

test.each(["register", "q", "day", "cursor"])(
  "a NUL or half a character in `%s` is a fault of the request, and nothing is looked for",
  async (param) => {
    for (const escaped of ["%00", "a%00b", "%ED%A0%80", "%1B"])
      expect(await other.send("GET", `/sales?${param}=${escaped}`)).toMatchObject({
        status: 400,
        body: { error: { code: "VALIDATION_ERROR", param } },
      });
    expect((await other.send("GET", "/changes?cursor=%00")).status).toBe(400);
  },
);

test("one sale comes with all that its ticket needs, and what was returned of it", async () => {
  const { shift } = await stock();
  const sold = await sell(saleBody(yesterday, { occurred_at: yesterday, cash_session_id: shift.id }));
  await decide();
  await other.put("return", returnOf(sold, [1], { cash_session_id: shift.id }));
  await decide();
  const { status, body } = await till.send("GET", `/sales/${sold.id.toUpperCase()}`);
  expect(status).toBe(200);
  syncShape(`/sync/v1/sales/${sold.id}`, JSON.stringify(body));
  expect(body).toMatchObject({
    sale: { id: sold.id, total: sold.total, items: [{ id: sold.items[0]!.id }] },
    register: shift.register_name,
    payments: null,
    returns: [{ lines: [{ item_id: sold.items[0]!.id, quantity: 1 }] }],
    can_invoice: false,
  });
  expect(body.documents).toMatchObject([
    { document_type: "pos_document", status: "issued", cufe: expect.any(String), qr: expect.stringContaining("http") },
    { document_type: "pos_adjustment_note" },
  ]);
});

test("the pages of a day have every sale once, newest first, and no page has more than a hundred", async () => {
  const sold = Array.from({ length: 105 }, (_, i) => {
    const occurred_at = new Date(Date.parse(yesterday) + Math.floor(i / 2) * 1000).toISOString();
    const data = upload(saleBody(yesterday, { occurred_at }));
    return { type: "sale", id: data.id, data };
  });
  await till.push(sold);
  const seen: string[] = [];
  let cursor = "";
  for (;;) {
    const { body } = await other.send("GET", query({ day: "2026-11-17", cursor, limit: "40" }));
    seen.push(...body.sales.map(({ id }: { id: string }) => id));
    if (!body.has_more) break;
    cursor = body.cursor;
  }
  expect(new Set(seen)).toEqual(new Set(sold.map(({ id }) => id)));
  expect(seen).toHaveLength(105);
  expect((await other.send("GET", query({ day: "2026-11-17", limit: "101" }))).status).toBe(400);
});

test("another business's sales do not exist, nor without a device token, nor with an API key", async () => {
  const sold = await sell(saleBody(yesterday, { occurred_at: yesterday }));
  const stranger = await enrol(service, (await service.business()).accountId);
  expect(await listed({ day: "2026-11-17" }, stranger)).toEqual([]);
  expect(await listed({ q: String(sold.total) }, stranger)).toEqual([]);
  expect((await stranger.send("GET", `/sales/${sold.id}`)).status).toBe(404);
  expect((await till.send("GET", `/sales/${randomUUID()}`)).status).toBe(404);
  for (const path of ["/sales", `/sales/${sold.id}`]) {
    const nobody = await fetch(`${service.baseUrl}/sync/v1${path}`);
    expect(nobody.status).toBe(401);
    const key = await fetch(`${service.baseUrl}/sync/v1${path}`, { headers: { authorization: `Bearer ${shop.key}` } });
    expect(key.status).toBe(401);
  }
});

test("odd questions are refused in words or find nothing, and never fail", async () => {
  await sell(saleBody(yesterday, { occurred_at: yesterday }));
  const statusOf = async (fields: Record<string, string>) => (await till.send("GET", query(fields))).status;
  for (const day of ["2026-02-30", "ayer", "0000-01-01", "20261117"]) expect(await statusOf({ day }), day).toBe(400);
  for (const cursor of ["x", "1.2", `-${"9".repeat(15)}.${randomUUID()}`, `9.${"z".repeat(36)}`])
    expect(await statusOf({ cursor }), cursor).toBe(400);
  for (const at of [`-${"9".repeat(14)}`, "9".repeat(15)])
    expect(await statusOf({ cursor: `${at}.${randomUUID()}` }), at).toBe(200);
  expect(await statusOf({ q: "x".repeat(101) })).toBe(400);
  for (const q of ["%", "_", "'", "\\", "* * * * * * * * * *", "é".repeat(100), "9".repeat(100), "😀"])
    expect(await statusOf({ q }), q).toBe(200);
  expect(await listed({ day: "2026-11-17", q: "%" })).toEqual([]);
});

test("a register that asks too often is told to wait", async () => {
  await using sibling = await service.sibling({ RATE_LIMIT_PER_SECOND: "1", RATE_LIMIT_BURST: "3" });
  const busy = await enrol(sibling, (await sibling.business()).accountId);
  const answers = await Promise.all(Array.from({ length: 10 }, () => busy.send("GET", "/sales")));
  expect(answers.map(({ status }) => status)).toContain(429);
});

test("another register has a sale invoiced: once, to a buyer with a number, as the owner would", async () => {
  const able = await enrol(service, shop.accountId, { name: "Caja 3", capabilities: ["sale_invoice.1"] });
  const sold = await sell(saleBody(yesterday, { occurred_at: yesterday }));
  await decide();
  const customer = customerBody(yesterday, { document_type: "CC", document_number: "52123456" });
  const wish = { sale_id: sold.id, customer_id: customer.id };
  const unknown = await able.put("sale_invoice", wish);
  expect(unknown).toMatchObject({ status: "quarantined", code: "SWITCH_NOT_POSSIBLE" });
  await able.put("customer", upload(customer));
  expect(await able.put("sale_invoice", wish)).toMatchObject({ status: "applied" });
  expect(await able.put("sale_invoice", wish)).toMatchObject({ status: "duplicate" });
  expect(await other.put("sale_invoice", wish)).toMatchObject({ code: "CAPABILITY_MISSING" });
  await decide();
  const kinds = (await documents(sold.id)).map(({ document_type, status }) => `${document_type} ${status}`);
  expect(kinds).toEqual(["pos_document annulled", "pos_adjustment_note issued", "electronic_invoice issued"]);
  const read = (await shop.api.get(`/sales/${sold.id}`)).body;
  expect(read).toMatchObject({ document_kind: "invoice", customer_id: customer.id });
  // The register that sold it still owns it, and its own later version does not undo the switch.
  const data = upload(sold);
  expect(await till.put("sale", { ...data, notes: "Llamó después" })).toMatchObject({ status: "applied" });
  expect((await shop.api.get(`/sales/${sold.id}`)).body).toMatchObject({
    document_kind: "invoice",
    customer_id: customer.id,
    notes: "Llamó después",
  });
});

test("two registers take back the same line: what is left counts, the second is set aside", async () => {
  const sold = await sell(saleBody(yesterday, { occurred_at: yesterday }));
  await decide();
  const all = returnOf(sold, [sold.items[0]!.quantity]);
  expect(await other.put("return", all)).toMatchObject({ status: "applied" });
  const again = returnOf(sold, [sold.items[0]!.quantity]);
  expect(await till.put("return", again)).toMatchObject({ status: "quarantined", code: "NOTHING_TO_RETURN" });
  const { body } = await other.send("GET", `/sales/${sold.id}`);
  expect(body.returns).toHaveLength(1);
});

/** What the owner is told of a register's records. */
async function told(at = till): Promise<string[]> {
  const owner = await openAgain(service, shop, "");
  const { data } = (await owner.get(`/devices/${at.deviceId}/flagged`)).body;
  return data.flatMap((one: { findings: { message: string }[] }) => one.findings.map(({ message }) => message));
}

test("a sale that was returned elsewhere and then cancelled, or cancelled and sold again, is told to the owner", async () => {
  const sold = await sell(saleBody(yesterday, { occurred_at: yesterday }));
  await other.put("return", returnOf(sold, [1]));
  const data = upload(sold);
  expect(await till.put("sale", { ...data, total: sold.total + 1 })).toMatchObject({ status: "merged" });
  expect(await told()).toEqual([expect.stringContaining("sus líneas y valores ya no cambian")]);
  expect(await till.put("sale", { ...data, status: "cancelled" })).toMatchObject({ status: "applied" });
  expect(await told()).toEqual([expect.stringContaining("cuando ya tenía una devolución")]);
  const again = await till.put("sale", { ...data, status: "completed", notes: "otra vez" });
  expect(again).toMatchObject({ status: "merged", record: { status: "cancelled" } });
});

test("a return that names another register's shift leaves that drawer as it is, and is told to the owner", async () => {
  const { shift } = await stock();
  const sold = await sell(saleBody(yesterday, { occurred_at: yesterday, cash_session_id: shift.id }));
  const drawer = async () => {
    const { cash_refunds, expected_amount } = (await shop.api.get(`/cash-sessions/${shift.id}`)).body;
    return { cash_refunds, expected_amount };
  };
  const before = await drawer();
  const inCash = { cash_session_id: shift.id, payment_method: "CASH" };
  await other.put("return", returnOf(sold, [1], inCash));
  const said = "Dice que es del turno de otra caja: cuenta en su día, y en ningún turno.";
  expect(await told(other)).toEqual([said]);
  expect(await drawer()).toEqual(before);
  const { rows } = await service.deps.pool.query(sql`
    select message from fiscal_findings where account_id = ${shop.accountId} and kind = 'foreign_shift'`);
  expect(rows.map(({ message }) => message)).toEqual([
    "Una devolución dice que es del turno de otra caja: cuenta en su día, y en ningún turno.",
  ]);
  // One of its own that waited for another register's sale takes the cash out of its own drawer.
  const late = saleBody(yesterday, { occurred_at: yesterday });
  await till.put("return", returnOf(late, [1], inCash));
  await other.put("sale", upload(late));
  expect((await drawer()).cash_refunds).toBeGreaterThan(before.cash_refunds);
  expect(await told(other)).toEqual([said]);
});

test("only the parts of a payment change: they are stored, and an older version does not bring them back", async () => {
  const sold = saleBody(yesterday);
  const data = upload(sold);
  const paid = (reference?: string) => [
    { payment_method: "CASH", amount: sold.total - 100 },
    { payment_method: "CARD", amount: 100, ...(reference && { reference }) },
  ];
  const put = (payments: object[]) => till.put("sale", data, { payments, ticket_number: 7 });
  await put(paid());
  expect(await put(paid("  AP-1  "))).toMatchObject({ status: "applied" });
  expect(await put(paid("AP-1"))).toMatchObject({ status: "duplicate" });
  const whole = async () => (await other.send("GET", `/sales/${sold.id}`)).body;
  expect(await whole()).toMatchObject({ payments: paid("AP-1"), ticket_number: 7 });
  await put(paid("x".repeat(50)));
  expect((await whole()).payments[1].reference).toBe("x".repeat(40));
  await put(paid().map((part) => ({ ...part, reference: { toString: 1 } })));
  expect((await whole()).payments).toEqual(paid());
});

test("the list names all means of a split sale, and says of a document that could not be issued that it has no number", async () => {
  const { accountId } = await fiscalBusiness(service, { posTo: 1 });
  const own = await enrol(service, accountId);
  const [first, second] = [
    saleBody(yesterday, { occurred_at: yesterday }),
    saleBody(yesterday, { occurred_at: yesterday }),
  ];
  const payments = [
    { payment_method: "CASH", amount: 20 },
    { payment_method: "NEQUI", amount: first.total - 20 },
  ];
  const data = upload({ ...first, payment_method: "NEQUI" });
  await own.push([{ type: "sale", id: first.id, data, payments }]);
  await own.put("sale", upload(second));
  await decide();
  const { body } = await own.send("GET", query({ day: "2026-11-17" }));
  syncShape("/sync/v1/sales", JSON.stringify(body));
  const byId = new Map(body.sales.map((one: { id: string }) => [one.id, one]));
  expect(byId.get(first.id)).toMatchObject({ payment_method: "NEQUI", means: ["CASH", "NEQUI"], documents: ["EPOS1"] });
  expect(byId.get(second.id)).toMatchObject({ means: [second.payment_method], documents: ["Sin número"] });
});
