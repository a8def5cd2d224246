import { describe, expect, test } from "vitest";
import type { Sale } from "../../src/business/sales/schema.ts";
import { readFindings } from "../../src/fiscal/findings/read-findings.ts";
import { verify } from "../../src/operations/verify/verify.ts";
import { documentsOf, noticesOf, plainSale, readSale } from "../support/fiscal.ts";
import { perTest } from "../support/fixtures.ts";
import { issuerPerTest } from "../support/issuing.ts";
import { openAgain } from "../support/portal.ts";
import { mostrador } from "../support/process.ts";
import { customerBody, invoiceBody } from "../support/records.ts";
import { enrol, upload } from "../support/register.ts";

const { service, shop, pass } = issuerPerTest();
const till = perTest(() => enrol(service, shop.accountId));

const now = () => service.deps.clock.now().toISOString();
const findings = async () =>
  (await readFindings(service.deps.pool, shop.accountId)).filter(({ kind }) => kind !== "upload");
const kinds = async () => (await findings()).map(({ kind }) => kind);

/** A sale whose document the authority has accepted. */
async function issuedSale(fields: Partial<Sale> = {}): Promise<Sale> {
  const sale = plainSale(now(), 9000, fields);
  await till.put("sale", upload(sale));
  await pass(4000);
  return sale;
}

/** A document that the register issued itself. */
const ownDocument = (fields: object) =>
  upload(invoiceBody(now(), { status: "issued", total: 9000, tax: 0, ...fields }));

describe("a sale that changes after its document was issued", () => {
  test.each<[string, (sale: Sale) => Partial<Sale>, RegExp, Partial<Sale>?]>([
    ["in its amount", () => plainSale(now(), 8000), /el total \(el documento dice \$9000; la venta, \$8000\)/],
    ["in its lines", ({ items }) => ({ items: [{ ...items[0]!, quantity: 2, unit_price: 4500 }] }), /las líneas/],
    ["in its kind", () => ({ document_kind: "pos" }), /el tipo de documento/, { document_kind: "invoice" }],
    ["in its buyer", () => ({ customer_id: crypto.randomUUID() }), /el cliente/],
  ])("%s is a finding and a notice, until it agrees again", async (_name, change, words, before) => {
    const sale = await issuedSale(before);
    const { id, ...changed } = { ...sale, ...change(sale), invoices: [] };
    await till.put("sale", upload({ ...changed, id: sale.id }));
    expect(await findings()).toMatchObject([
      { kind: "sale_changed", gravity: "error", sale_id: sale.id, message: expect.stringMatching(words) },
    ]);
    expect((await findings())[0]!.next_step).toContain("Anule la venta");
    expect((await noticesOf(service, shop.accountId)).map(({ kind }) => kind)).toEqual(["sale_changed"]);
    expect(await documentsOf(service, shop.accountId, sale.id)).toMatchObject([{ status: "issued", total: 9000 }]);
    await till.put("sale", upload(sale));
    expect(await findings()).toEqual([]);
  });

  test("in its notes only is none", async () => {
    const sale = await issuedSale();
    await till.put("sale", upload({ ...sale, notes: "para llevar" }));
    expect(await findings()).toEqual([]);
  });

  test("is settled when the sale is cancelled and its document annulled", async () => {
    const sale = await issuedSale();
    await till.put("sale", upload({ ...plainSale(now(), 8000), id: sale.id }));
    expect(await kinds()).toEqual(["sale_changed"]);
    await till.put("sale", upload({ ...plainSale(now(), 8000), id: sale.id, status: "cancelled" }));
    await pass(4000);
    expect((await documentsOf(service, shop.accountId, sale.id))[0]).toMatchObject({ status: "annulled" });
    expect(await findings()).toEqual([]);
  });
});

describe("a document of the register's own", () => {
  test("for a sale that has one is told, and both stay", async () => {
    const sale = await issuedSale();
    await till.put("invoice", ownDocument({ sale_id: sale.id, prefix: "CAJA", number: 7 }));
    expect((await readSale(service, shop.accountId, sale.id)).invoices).toHaveLength(2);
    expect(await findings()).toMatchObject([
      { kind: "two_documents", sale_id: sale.id, message: "La venta tiene 2 documentos vigentes: EPOS1 y CAJA7." },
    ]);
    expect((await verify(service.deps.pool)).findings).toContainEqual({ kind: "two_documents", count: 1 });
  });

  test("with a number of the server's range is told, and the server goes past it", async () => {
    await till.put("invoice", ownDocument({ sale_id: null, prefix: "EPOS", number: 2 }));
    expect(await findings()).toMatchObject([{ kind: "number_taken", gravity: "warning" }]);
    const numbers = [];
    for (let i = 0; i < 3; i++)
      numbers.push((await documentsOf(service, shop.accountId, (await issuedSale()).id))[0]!.number);
    expect(numbers).toEqual([1, 3, 4]);
    expect((await verify(service.deps.pool)).problems).toEqual([]);
  });

  test("with a number that the server has given out is told as grave, and nothing else breaks", async () => {
    await issuedSale();
    await till.put("invoice", ownDocument({ sale_id: null, prefix: "EPOS", number: 1 }));
    expect(await findings()).toMatchObject([{ kind: "number_taken", gravity: "error" }]);
    expect((await verify(service.deps.pool)).problems).toEqual([]);
  });

  test("in the same push as its sale is the sale's document: the server issues none", async () => {
    const sale = plainSale(now(), 9000);
    await till.push([
      { type: "invoice", data: ownDocument({ sale_id: sale.id, prefix: "CAJA", number: 9 }) },
      { type: "sale", id: sale.id, data: upload(sale) },
    ]);
    expect((await readSale(service, shop.accountId, sale.id)).invoices).toMatchObject([{ prefix: "CAJA" }]);
    expect(await findings()).toEqual([]);
  });
});

test("a sale without lines gets no document and is told; with its lines it gets one", async () => {
  const sale = plainSale(now(), 9000);
  await till.put("sale", upload({ ...sale, items: [] }));
  expect((await readSale(service, shop.accountId, sale.id)).invoices).toEqual([]);
  expect(await findings()).toMatchObject([{ kind: "sale_without_lines", gravity: "warning" }]);
  expect((await verify(service.deps.pool)).problems).toEqual([]);
  await till.put("sale", upload(sale));
  expect((await readSale(service, shop.accountId, sale.id)).invoices).toMatchObject([{ status: "pending" }]);
  expect(await findings()).toEqual([]);
});

test("an invoice that waited for its customer is issued when the customer arrives", async () => {
  const buyer = customerBody(now(), { document_number: "1020456789" });
  const sale = plainSale(now(), 9000, { document_kind: "invoice", customer_id: buyer.id });
  await till.put("sale", upload(sale));
  const [waiting] = await documentsOf(service, shop.accountId, sale.id);
  expect(waiting).toMatchObject({ status: "emission_failed", number: 0 });
  await till.put("customer", upload(buyer));
  expect(await documentsOf(service, shop.accountId, sale.id)).toMatchObject([
    { id: waiting!.id, status: "pending", prefix: "SETP", number: 1, document_type: "electronic_invoice" },
  ]);
  await pass(4000);
  expect((await documentsOf(service, shop.accountId, sale.id))[0]).toMatchObject({ status: "issued" });
});

describe("findings are shown", () => {
  test("in the portal, for the business and for the sale, and closed with a reason", async () => {
    const sale = await issuedSale();
    await till.put("invoice", ownDocument({ sale_id: sale.id, prefix: "CAJA", number: 7 }));
    const owner = await openAgain(service, shop, `${shop.accountId}@example.com`);
    const listed = (await owner.get("/findings")).body.data.filter(({ kind }: { kind: string }) => kind !== "upload");
    expect(listed).toMatchObject([{ kind: "two_documents", gravity: "error", sale_id: sale.id, can_close: true }]);
    expect((await owner.get(`/sales/${sale.id}/findings`)).body.data).toContainEqual(listed[0]);
    expect((await owner.get(`/sales/${crypto.randomUUID()}/findings`)).status).toBe(404);
    const path = `/findings/${listed[0].id}/close`;
    expect((await owner.post(path, { reason: " " })).body.error).toMatchObject({
      code: "VALIDATION_ERROR",
      param: "reason",
    });
    expect((await owner.post(path, { reason: "La caja anuló el suyo" })).status).toBe(204);
    expect((await owner.post(path, { reason: "otra vez" })).status).toBe(404);
    expect(await findings()).toEqual([]);
    expect((await owner.get("/audit-log?limit=1")).body.data[0]).toMatchObject({
      action: "finding.closed",
      details: { kind: "two_documents", reason: "La caja anuló el suyo" },
    });
  });

  test("and what was acknowledged does not come back in the same words, until it has been right in between", async () => {
    const sale = await issuedSale();
    const changed = { ...plainSale(now(), 8000), id: sale.id };
    await till.put("sale", upload(changed));
    const owner = await openAgain(service, shop, `${shop.accountId}@example.com`);
    const [open] = await findings();
    expect((await owner.post(`/findings/${open!.id}/close`, { reason: "Lo sabe el contador" })).status).toBe(204);
    await till.put("sale", upload({ ...changed, notes: "para llevar" }));
    expect(await findings()).toEqual([]);
    await till.put("sale", upload({ ...plainSale(now(), 7000), id: sale.id }));
    expect(await findings()).toMatchObject([{ kind: "sale_changed", message: expect.stringContaining("$7000") }]);
    await till.put("sale", upload(sale));
    await till.put("sale", upload(changed));
    expect(await findings()).toMatchObject([{ kind: "sale_changed", message: open!.message }]);
  });

  test("in the command line, each with its next step", { timeout: 120_000 }, async () => {
    const env = { DATABASE_URL: service.databaseUrl, SECRET_KEY: service.deps.config.secretKey };
    const quiet = await mostrador(["fiscal", "findings", shop.accountId], env);
    expect(quiet.stdout).toContain("concuerdan");
    await till.put("sale", upload({ ...plainSale(now(), 9000), items: [] }));
    const { stdout } = await mostrador(["fiscal", "findings", shop.accountId], env);
    expect(stdout).toMatch(/aviso {2}Una venta completada de \$9000 llegó sin líneas.*\n {4}Complétela/);
    expect((await mostrador(["verify"], env)).stdout).toMatch(/\d ventas completadas sin líneas/);
  });
});
