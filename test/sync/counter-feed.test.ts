import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { isPin } from "../../register/cashiers.ts";
import { theOperator } from "../../src/access/accounts/record-audit.ts";
import { renameAccount } from "../../src/access/accounts/rename-account.ts";
import { setCounterSettings } from "../../src/business/counter/business-info.ts";
import { createCashier, retireCashier, updateCashier } from "../../src/business/counter/cashiers.ts";
import { sql } from "../../src/db/sql.ts";
import { fiscalWorker } from "../../src/fiscal/documents/worker.ts";
import { setProfile } from "../../src/fiscal/profile/set-profile.ts";
import { hour } from "../../src/lib/clock.ts";
import { advance, fiscalBusiness, plainSale } from "../support/fiscal.ts";
import { verifiedService } from "../support/fixtures.ts";
import { decideAll } from "../support/issuing.ts";
import { enrol, remoteEdit, type Till, upload } from "../support/register.ts";

const service = verifiedService();
const capabilities = [remoteEdit, "document.down.1", "business.down.1"];
const at = "2026-09-28T19:05:09.120Z";

const settings = {
  ticket_header: "Cra 45 # 12-34",
  ticket_footer: "Gracias por su compra",
  color: "#0b6b57",
  cash_rounding: 50,
  tip_percent: 10,
  blind_count: true,
};

// biome-ignore lint/suspicious/noExplicitAny: read as a register would, without types
async function changesOf(till: Till, type: string, cursor = ""): Promise<any[]> {
  const { body } = await till.pull(`?cursor=${cursor}`);
  return body.changes.filter((change: { type: string }) => change.type === type);
}

test("the documents of a register's own sales travel down to it, first without and then with a verdict", async () => {
  const { accountId } = await fiscalBusiness(service);
  const till = await enrol(service, accountId, { capabilities });
  const other = await enrol(service, accountId, { capabilities });
  const plain = await enrol(service, accountId);
  const sale = plainSale(at, 12_000);
  await till.put("sale", upload(sale), { id: sale.id });
  const [first] = await changesOf(till, "invoice");
  expect(first).toMatchObject({
    deleted: false,
    data: { sale_id: sale.id, document_type: "pos_document", status: "pending", prefix: "EPOS", number: 1 },
  });
  expect(first.data.qr).toBe(`https://catalogo-vpfe-hab.dian.gov.co/document/searchqr?documentkey=${first.data.cufe}`);
  expect(first.data.total).toBeUndefined();

  const cursor = (await till.pull()).body.cursor;
  expect(await changesOf(till, "invoice", cursor)).toEqual([]);
  await decideAll(service);
  const [decided] = await changesOf(till, "invoice", cursor);
  expect(decided).toMatchObject({ id: first.id, data: { status: "issued" } });
  expect(await changesOf(other, "invoice"), "of another register").toEqual([]);
  expect(await changesOf(plain, "invoice"), "without the capability").toEqual([]);
});

test("a register that waits learns of the verdict at once", async () => {
  const { accountId } = await fiscalBusiness(service);
  const till = await enrol(service, accountId, { capabilities });
  const sale = plainSale(at, 12_000);
  await till.put("sale", upload(sale), { id: sale.id });
  const { cursor } = (await till.pull()).body;
  const waiting = till.pull(`?cursor=${cursor}&wait=20`);
  await decideAll(service);
  expect((await waiting).body.changes).toMatchObject([{ type: "invoice", data: { sale_id: sale.id } }]);
});

test("the business travels down with its name, its taxes and what its tickets say, and again when any of it changes", async () => {
  const { accountId } = await service.business();
  const till = await enrol(service, accountId, { capabilities });
  const [first] = await changesOf(till, "business");
  expect(first).toMatchObject({
    id: accountId,
    data: { name: "Tienda de prueba", nit: null, regime: null, cash_rounding: 0, ticket_footer: null },
  });
  const { cursor } = (await till.pull()).body;
  expect(await changesOf(till, "business", cursor)).toEqual([]);
  await setCounterSettings(service.deps, accountId, settings);
  expect(await changesOf(till, "business", cursor)).toMatchObject([{ data: settings }]);
  await renameAccount(service.deps, accountId, "La Nueva", theOperator);
  expect(await changesOf(till, "business", cursor)).toMatchObject([{ data: { name: "La Nueva", ...settings } }]);
  const plain = await enrol(service, accountId);
  expect(await changesOf(plain, "business")).toEqual([]);
});

test("cashiers travel down with a hash that a register can check, and leave when they are retired", async () => {
  const { accountId } = await service.business();
  const till = await enrol(service, accountId, { capabilities });
  const input = { name: "Ana Lucía", pin: "43218765", permissions: ["discount" as const] };
  const { id } = (await createCashier(service.deps, accountId, input, theOperator))!;
  const [ana] = await changesOf(till, "cashier");
  expect(ana).toMatchObject({ id, deleted: false, data: { id, name: "Ana Lucía", permissions: ["discount"] } });
  expect(JSON.stringify(ana)).not.toContain("43218765");
  expect(await isPin("43218765", ana.data.pin_hash)).toBe(true);
  expect(await updateCashier(service.deps, accountId, id, { pin: "9876", permissions: [] }, theOperator)).toBe(true);
  const [changed] = await changesOf(till, "cashier");
  expect(await isPin("9876", changed.data.pin_hash)).toBe(true);
  expect(changed.data).toMatchObject({ name: "Ana Lucía", permissions: [] });
  expect(await retireCashier(service.deps, accountId, id, theOperator)).toBe(true);
  expect(await changesOf(till, "cashier")).toMatchObject([{ id, deleted: true, data: null }]);
  expect(await retireCashier(service.deps, accountId, id, theOperator)).toBe(false);
  const foreign = await service.business();
  expect(await updateCashier(service.deps, foreign.accountId, id, { name: "X" }, theOperator)).toBe(false);
});

test("the means of a sale and its cashier are kept beside it and published nowhere", async () => {
  const { accountId, api } = await service.business();
  const till = await enrol(service, accountId, { capabilities });
  const sale = plainSale(at, 12_000, { payment_method: "CARD" });
  const cashier_id = randomUUID();
  const payments = [
    { payment_method: "CARD", amount: 7_000 },
    { payment_method: "CASH", amount: 5_000 },
  ];
  const beside = { payments, cashier_id } as object;
  expect(await till.put("sale", upload(sale), { id: sale.id, ...beside })).toMatchObject({ status: "applied" });
  const read = async () => {
    const { rows } = await service.deps.pool.query(sql`
      select payments, cashier_id from sales where account_id = ${accountId} and id = ${sale.id}`);
    return { payments: JSON.parse(rows[0].payments), cashier_id: rows[0].cashier_id };
  };
  expect(await read()).toEqual({ payments, cashier_id });
  // A later version without them leaves them as they were.
  await till.put("sale", { ...upload(sale), notes: "con servilletas" }, { id: sale.id });
  expect(await read()).toEqual({ payments, cashier_id });
  const published = (await api.get(`/sales/${sale.id}`)).body;
  expect(published).toMatchObject({ payment_method: "CARD", notes: "con servilletas" });
  expect(published).not.toHaveProperty("payments");
  expect(published).not.toHaveProperty("cashier_id");
});

test("means that cannot be read or do not add up are reported, and the sale is applied all the same", async () => {
  const { accountId } = await service.business();
  const till = await enrol(service, accountId, { capabilities });
  const flagged = async (id: string) => {
    const { rows } = await service.deps.pool.query(sql`
      select findings from flagged_records where account_id = ${accountId} and record_id = ${id}`);
    return rows[0] ? JSON.parse(rows[0].findings) : [];
  };
  for (const beside of [
    { payments: "mucho" },
    { payments: [{ payment_method: "CASH", amount: 1.5 }] },
    { cashier_id: "Ana" },
    { payments: [{ payment_method: "CASH", amount: 11_000 }] },
    { payments: Array.from({ length: 21 }, () => ({ payment_method: "CASH", amount: 0 })) },
  ] as object[]) {
    const sale = plainSale(at, 12_000);
    expect(await till.put("sale", upload(sale), { id: sale.id, ...beside })).toMatchObject({ status: "applied" });
    expect(await flagged(sale.id)).toMatchObject([{ field: "payments" }]);
  }
});

test("a page of another site may not speak for a register; the installation's own may", async () => {
  const { accountId } = await service.business();
  const till = await enrol(service, accountId, { capabilities });
  const foreign = await till.pull("", { origin: "https://otro.example" });
  expect([foreign.status, foreign.body.error.code]).toEqual([403, "FOREIGN_ORIGIN"]);
  expect((await till.pull("", { "sec-fetch-site": "cross-site" })).status).toBe(403);
  const enrolling = await till.send("POST", "/enrol", { code: "x" }, { origin: "https://otro.example" });
  expect(enrolling.status).toBe(403);
  expect((await till.pull("", { origin: service.baseUrl, "sec-fetch-site": "same-origin" })).status).toBe(200);
  expect((await till.pull()).headers.get("access-control-allow-origin")).toBeNull();
});

test("while the authority is away for too long, registers learn what their tickets say, and when it is over", async () => {
  const { accountId } = await fiscalBusiness(service);
  await setProfile(service.deps, accountId, { settings: { max_contingency_hours: 2 } });
  const till = await enrol(service, accountId, { capabilities });
  const contingency = async () => (await changesOf(till, "business"))[0].data.contingency;
  const sale = plainSale(at, 12_000);
  await till.put("sale", upload(sale), { id: sale.id });
  const away = async () => ({ kind: "unavailable", message: "No responde." }) as const;
  await fiscalWorker(service.deps, { send: away, query: away }).workOff();
  expect(await contingency()).toBeNull();
  advance(service, 3 * hour);
  const text = await contingency();
  expect(text).toMatch(/^Emitido en contingencia: la DIAN no responde desde el \d\d\/\d\d\/\d{4} a las \d\d:\d\d\./);
  const { cursor } = (await till.pull()).body;
  await setCounterSettings(service.deps, accountId, settings);
  expect(await changesOf(till, "business", cursor)).toMatchObject([{ data: { ...settings, contingency: text } }]);
  await decideAll(service);
  expect(await contingency()).toBeNull();
});
