import { describe, expect, test } from "vitest";
import { customers } from "../../src/business/customers/resource.ts";
import { sales } from "../../src/business/sales/resource.ts";
import type { Sale } from "../../src/business/sales/schema.ts";
import { sql } from "../../src/db/sql.ts";
import { writing } from "../../src/engine/writing/writing.ts";
import { cude, cufe, hashedAmounts } from "../../src/fiscal/content/document-hash.ts";
import { issueDocuments } from "../../src/fiscal/documents/issue-documents.ts";
import { setProfile } from "../../src/fiscal/profile/set-profile.ts";
import {
  advance,
  changeSale,
  documentsOf,
  fiscalBusiness,
  noticesOf,
  plainSale,
  readSale,
  ringUp,
  softwarePin,
  technicalKey,
} from "../support/fiscal.ts";
import { verifiedService } from "../support/fixtures.ts";
import { customerBody, saleBody, saleItemBody, store } from "../support/records.ts";

const service = verifiedService();

describe("a completed sale", () => {
  test("gets its POS document in the same write: number, code, amounts, summary", async () => {
    const { accountId } = await fiscalBusiness(service);
    const [sale] = await ringUp(service, accountId, (at) => [saleBody(at)]);
    const [invoice] = await documentsOf(service, accountId, sale!.id);
    expect(invoice).toMatchObject({
      sale_id: sale!.id,
      document_type: "pos_document",
      type_document_id: 15,
      status: "pending",
      dian_status: null,
      prefix: "EPOS",
      number: 1,
      subtotal: 5378,
      tax: 1022,
      total: 6400,
      issued_at: sale!.created_at,
    });
    const hashed = {
      ...hashedAmounts({ ...sale!, tax_breakdown: sale!.tax_breakdown! }),
      number: "EPOS1",
      issuedAt: new Date(invoice!.issued_at),
      issuerNit: "900373923-8",
      customer: null,
      environment: "test" as const,
    };
    expect(invoice!.cufe).toBe(cude(hashed, softwarePin));
  });

  test("that asked for an invoice gets one in the buyer's name", async () => {
    const { accountId } = await fiscalBusiness(service);
    const [buyer] = await store(service.deps, accountId, customers, (at) => [
      { body: customerBody(at, { document_type: "NIT", document_number: "901234567-7" }) },
    ]);
    const [sale] = await ringUp(service, accountId, (at) => [
      saleBody(at, { document_kind: "invoice", customer_id: buyer!.id }),
    ]);
    const [invoice] = await documentsOf(service, accountId, sale!.id);
    expect(invoice).toMatchObject({ document_type: "electronic_invoice", type_document_id: 1, prefix: "SETP" });
    const hashed = {
      ...hashedAmounts({ ...sale!, tax_breakdown: sale!.tax_breakdown! }),
      number: "SETP1",
      issuedAt: new Date(invoice!.issued_at),
      issuerNit: "900373923-8",
      customer: buyer!,
      environment: "test" as const,
    };
    expect(invoice!.cufe).toBe(cufe(hashed, technicalKey));
  });

  test("whose customer came in the same write gets its document in that customer's name", async () => {
    const { accountId } = await fiscalBusiness(service);
    const { deps } = service;
    await writing(deps, accountId, async (write) => {
      const at = write.at.toISOString();
      const buyer = customerBody(at, { document_number: "71234567" });
      const sale = saleBody(at, { document_kind: "invoice", customer_id: buyer.id });
      write.put(customers, { body: buyer });
      const same = { customers: new Map([[buyer.id, buyer]]) };
      for (const body of await issueDocuments(deps, write, [sale], same)) write.put(sales, { body });
    });
    const { rows } = await deps.pool.query(sql`
      select content->'customer'->>'document_number' as number, state from fiscal_documents where account_id = ${accountId}`);
    expect(rows).toEqual([{ number: "71234567", state: "queued" }]);
  });

  test("whose register already issued a document gets no other", async () => {
    const { accountId } = await fiscalBusiness(service);
    const own = { id: crypto.randomUUID(), document_type: "pos_document", status: "issued" } as const;
    const stored = await writing(service.deps, accountId, (write) =>
      issueDocuments(service.deps, write, [
        saleBody(write.at.toISOString(), { invoices: [{ ...own, cufe: null, prefix: "CAJA", number: 9 }] }),
      ]),
    );
    expect(stored[0]!.invoices).toHaveLength(1);
  });

  test("gets none in an account without a profile, while open, or from before the profile", async () => {
    const bare = await service.business();
    const before = await ringUp(service, bare.accountId, (at) => [saleBody(at)]);
    expect(before[0]!.invoices).toEqual([]);
    advance(service, 1000);
    await setProfile(service.deps, bare.accountId, { nit: "900373923", regime: "iva", softwarePin });
    expect((await changeSale(service, bare.accountId, before[0]!.id, { notes: "tarde" })).invoices).toEqual([]);
    const [open] = await ringUp(service, bare.accountId, (at) => [saleBody(at, { status: "open" })]);
    expect(open!.invoices).toEqual([]);
    expect((await changeSale(service, bare.accountId, open!.id, { status: "completed" })).invoices).toHaveLength(1);
  });

  test("uploaded again keeps the document it has", async () => {
    const { accountId } = await fiscalBusiness(service);
    const [sale] = await ringUp(service, accountId, (at) => [saleBody(at)]);
    const again = await changeSale(service, accountId, sale!.id, { notes: "con servilletas" });
    expect(again.invoices).toEqual(sale!.invoices);
  });
});

test("a business that asked for POS limit warnings is warned, and its document is still issued", async () => {
  const { accountId } = await fiscalBusiness(service);
  await setProfile(service.deps, accountId, { settings: { pos_limit_uvt: 5, uvt: 50_000 } });
  const made = await ringUp(service, accountId, (at) => [
    plainSale(at, 250_000),
    plainSale(at, 250_001),
    plainSale(at, 900_000, { document_kind: "invoice" }),
  ]);
  expect(made.map((sale) => sale.invoices[0]!.status)).toEqual(["pending", "pending", "pending"]);
  expect(await noticesOf(service, accountId)).toMatchObject([{ kind: "pos_above_limit", times: 1 }]);
});

test("a sale that appears twice in one write gets one document", async () => {
  const { accountId } = await fiscalBusiness(service);
  const [first, second] = await ringUp(service, accountId, (at) => {
    const sale = plainSale(at, 1000);
    return [sale, { ...sale, notes: "corregida" }];
  });
  expect(first).toEqual(second);
  expect(second!.invoices).toMatchObject([{ number: 1 }]);
});

describe("a business with internal documents", () => {
  test("issues them at once, without a code, and annuls them at once", async () => {
    const { accountId, api } = await fiscalBusiness(service, { documents: "internal" });
    const made = await ringUp(service, accountId, (at) => [saleBody(at), saleBody(at, { document_kind: "invoice" })]);
    expect(made.flatMap((sale) => sale.invoices)).toMatchObject([
      { document_type: "internal_invoice", status: "issued", number: 1, prefix: null, cufe: null },
      { document_type: "internal_invoice", status: "issued", number: 2, prefix: null, cufe: null },
    ]);
    const events = (await api.get("/events?type=invoice.issued&order=asc")).body.data;
    expect(events.map((event: { data: { object: { number: number } } }) => event.data.object.number)).toEqual([1, 2]);
    const cancelled = await changeSale(service, accountId, made[0]!.id, { status: "cancelled" });
    expect(cancelled.invoices).toMatchObject([{ status: "annulled" }]);
    expect((await documentsOf(service, accountId, made[0]!.id)).map(({ status }) => status)).toEqual(["annulled"]);
  });
});

describe("a sale whose document cannot be sealed is still recorded", () => {
  test.each<[string, Partial<Sale>]>([
    ["a negative total", { total: -500, subtotal: -500, tax: 0, tax_breakdown: [] }],
    ["taxes that are not stated", { tax_breakdown: null, items: [saleItemBody({ taxes: null })] }],
    ["an invoice whose customer has not arrived", { document_kind: "invoice", customer_id: crypto.randomUUID() }],
    ["amounts with decimals", { items: [saleItemBody({ subtotal: 10.5, taxes: [] })] }],
  ])("%s", async (_name, fields) => {
    const { accountId } = await fiscalBusiness(service);
    const made = await ringUp(service, accountId, (at) => [saleBody(at, fields), saleBody(at)]);
    expect(made.map((sale) => [sale.invoices[0]!.status, sale.invoices[0]!.number])).toEqual([
      ["emission_failed", 0],
      ["pending", 1],
    ]);
    expect((await documentsOf(service, accountId, made[0]!.id))[0]!.dian_message).toContain("no se pudo sellar");
    expect(await noticesOf(service, accountId)).toMatchObject([{ kind: "document_unsealed" }]);
  });

  test("a PIN that this installation's key cannot decrypt", async () => {
    const { accountId } = await fiscalBusiness(service);
    await service.deps.pool.query(sql`
      update fiscal_profiles set software_pin = '\\x0101'::bytea where account_id = ${accountId}`);
    const [sale] = await ringUp(service, accountId, (at) => [saleBody(at)]);
    expect(sale!.invoices[0]).toMatchObject({ status: "emission_failed", number: 0 });
  });
});

test("a batch of 200 sales takes only a few statements", async () => {
  const { accountId } = await fiscalBusiness(service);
  let statements = 0;
  await writing(service.deps, accountId, async (write) => {
    const client = new Proxy(write.client, {
      get(target, name) {
        if (name !== "query") return Reflect.get(target, name);
        return (...args: Parameters<typeof target.query>) => {
          statements += 1;
          return target.query(...args);
        };
      },
    });
    const at = write.at.toISOString();
    const made = Array.from({ length: 200 }, (_, i) => plainSale(at, 1000 + i, { customer_id: crypto.randomUUID() }));
    Object.defineProperty(write, "client", { value: client });
    for (const body of await issueDocuments(service.deps, write, made)) write.put(sales, { body });
  });
  // With shifts there is one more: seven at most.
  expect(statements).toBeLessThanOrEqual(6);
});

test("secrets are not stored in plain text", async () => {
  const { accountId } = await fiscalBusiness(service);
  const { rows } = await service.deps.pool.query(sql`
    select p::text as profile, r::text as range from fiscal_profiles p join numbering_ranges r using (account_id)
    where account_id = ${accountId}`);
  const text = JSON.stringify(rows);
  for (const secret of [softwarePin, technicalKey])
    for (const form of [secret, Buffer.from(secret).toString("hex")]) expect(text).not.toContain(form);
});

test("the sale that a client reads lists its document", async () => {
  const { accountId, api } = await fiscalBusiness(service);
  const [sale] = await ringUp(service, accountId, (at) => [saleBody(at)]);
  const read = (await api.get(`/sales/${sale!.id}`)).body;
  expect(read).toEqual(await readSale(service, accountId, sale!.id));
  expect((await api.get(`/invoices?sale_id=${sale!.id}`)).body.data).toMatchObject([read.invoices[0]]);
});
