import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Sale } from "../../src/business/sales/schema.ts";
import { sql } from "../../src/db/sql.ts";
import { writing } from "../../src/engine/writing/writing.ts";
import { cude, cufe, hashedAmounts } from "../../src/fiscal/content/document-hash.ts";
import { issueDocuments } from "../../src/fiscal/documents/issue-documents.ts";
import { setRange } from "../../src/fiscal/profile/set-range.ts";
import { day } from "../../src/lib/clock.ts";
import { computeTaxes } from "../../src/taxes/tax.ts";
import { lineFor, taxClasses } from "../../src/taxes/tax-classes.ts";
import {
  advance,
  documentsOf,
  fiscalBusiness,
  noticesOf,
  plainSale,
  ringUp,
  softwarePin,
  technicalKey,
} from "../support/fiscal.ts";
import { verifiedService } from "../support/fixtures.ts";
import { saleBody, saleItemBody } from "../support/records.ts";

const service = verifiedService();

describe("a range that is used up", () => {
  test("fails the emission with the reason and one notice, and every sale is recorded", async () => {
    const { accountId, api } = await fiscalBusiness(service, { posTo: 3 });
    const made = await ringUp(service, accountId, (at) => Array.from({ length: 5 }, () => plainSale(at, 1000)));
    const summaries = made.map((sale) => sale.invoices[0]!);
    expect(summaries.map(({ number, status }) => [number, status])).toEqual([
      [1, "pending"],
      [2, "pending"],
      [3, "pending"],
      [0, "emission_failed"],
      [0, "emission_failed"],
    ]);
    const failed = (await api.get(`/invoices/${summaries[4]!.id}`)).body;
    expect(failed).toMatchObject({ prefix: null, cufe: null, dian_status: null });
    expect(failed.dian_message).toBe(
      "El rango de numeración EPOS 1–3 para documentos POS se agotó. Registre un rango nuevo en el perfil fiscal y reenvíe el documento.",
    );
    await ringUp(service, accountId, (at) => [plainSale(at, 1000)]);
    expect(await noticesOf(service, accountId)).toEqual([
      { kind: "numbering_unavailable", message: failed.dian_message, times: 3 },
    ]);
    expect((await api.get("/sales?status=completed")).body.data).toHaveLength(6);
  });

  test("is followed by the next registered range", async () => {
    const { accountId } = await fiscalBusiness(service, { posTo: 2 });
    await setRange(service.deps, accountId, {
      kind: "pos",
      prefix: "EPO2",
      first: 10,
      last: 20,
      validUntil: "2099-01-01",
    });
    const made = await ringUp(service, accountId, (at) => Array.from({ length: 4 }, () => plainSale(at, 1000)));
    expect(made.map(({ invoices: [one] }) => `${one!.prefix}${one!.number}`)).toEqual([
      "EPOS1",
      "EPOS2",
      "EPO210",
      "EPO211",
    ]);
  });
});

test("a range is valid through its last day in Bogotá, and not a day longer", async () => {
  const lastDay = new Date(service.deps.clock.now().getTime() - 5 * 60 * 60 * 1000).toISOString().slice(0, 10);
  const { accountId } = await fiscalBusiness(service, { validUntil: lastDay });
  const [today] = await ringUp(service, accountId, (at) => [plainSale(at, 1000)]);
  expect(today!.invoices[0]!.status).toBe("pending");
  advance(service, day);
  const [late] = await ringUp(service, accountId, (at) => [plainSale(at, 1000)]);
  expect(late!.invoices[0]!.status).toBe("emission_failed");
  const notices = await noticesOf(service, accountId);
  expect(notices.map(({ kind }) => kind)).toEqual(["numbering_unavailable", "range_ending", "range_ending"]);
  expect((await documentsOf(service, accountId, late!.id))[0]!.dian_message).toContain(`venció el ${lastDay}`);
});

test("a write that is rolled back leaves no gap in the numbers", async () => {
  const { accountId } = await fiscalBusiness(service);
  await ringUp(service, accountId, (at) => [plainSale(at, 1000)]);
  const broken = writing(service.deps, accountId, async (write) => {
    await issueDocuments(service.deps, write, [plainSale(write.at.toISOString(), 2000)]);
    throw new Error("the register's connection broke");
  });
  await expect(broken).rejects.toThrow("broke");
  const [sale] = await ringUp(service, accountId, (at) => [plainSale(at, 3000)]);
  expect(sale!.invoices[0]!.number).toBe(2);
});

test("registers that upload at the same time never share a number", async () => {
  const { accountId } = await fiscalBusiness(service);
  const uploads = Array.from({ length: 40 }, (_, i) =>
    ringUp(service, accountId, (at) => Array.from({ length: (i % 3) + 1 }, () => plainSale(at, 1000 + i))),
  );
  const numbers = (await Promise.all(uploads)).flat().map((sale) => sale.invoices[0]!.number);
  expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: numbers.length }, (_, i) => i + 1));
});

test("for many random sales, amounts add up, codes are right and numbers have no gaps", {
  timeout: 300_000,
}, async () => {
  const { accountId } = await fiscalBusiness(service, { posTo: 100_000 });
  const product = fc.record({
    tax_class: fc.constantFrom(...taxClasses),
    base_price: fc.integer({ min: 0, max: 400_000 }),
    quantity: fc.integer({ min: 1, max: 9 }),
  });
  const basket = fc.record({
    lines: fc.array(product, { minLength: 1, maxLength: 8 }),
    discountPercent: fc.constantFrom(0, 0, 5, 12.5),
    tip: fc.constantFrom(0, 0, 4_000),
    document_kind: fc.constantFrom("pos", "invoice"),
  });
  let next = { EPOS: 1, SETP: 1 };
  await fc.assert(
    fc.asyncProperty(fc.array(basket, { minLength: 40, maxLength: 60 }), async (baskets) => {
      const made = await ringUp(service, accountId, (at) => baskets.map((one) => saleFrom(one as Basket, at)));
      const { rows } = await service.deps.pool.query<{ body: string }>(sql`
        select body from invoices where account_id = ${accountId} and sale_id = any(${made.map(({ id }) => id)}::uuid[])`);
      const bySale = new Map(rows.map((row) => [JSON.parse(row.body).sale_id, JSON.parse(row.body)]));
      for (const sale of made) {
        const invoice = bySale.get(sale.id)!;
        expect(invoice.subtotal + invoice.tax + sale.tip_amount).toBe(invoice.total);
        expect(invoice.number).toBe(next[invoice.prefix as keyof typeof next]);
        next = { ...next, [invoice.prefix]: invoice.number + 1 };
        const hashed = {
          ...hashedAmounts({ ...sale, tax_breakdown: sale.tax_breakdown! }),
          number: `${invoice.prefix}${invoice.number}`,
          issuedAt: new Date(invoice.issued_at),
          issuerNit: "900373923-8",
          customer: null,
          environment: "test" as const,
        };
        expect(invoice.cufe).toBe(
          sale.document_kind === "invoice" ? cufe(hashed, technicalKey) : cude(hashed, softwarePin),
        );
      }
    }),
    { numRuns: 45 },
  );
  expect(next.EPOS + next.SETP).toBeGreaterThan(1_800);
});

interface Basket {
  lines: { tax_class: string; base_price: number; quantity: number }[];
  discountPercent: number;
  tip: number;
  document_kind: "pos" | "invoice";
}

function saleFrom({ lines, discountPercent, tip, document_kind }: Basket, at: string): Sale {
  const profile = { regime: "iva", pricesIncludeTax: true } as const;
  const priced = lines.map((line) => lineFor(line, line.quantity, profile, new Date(at)));
  const { lines: taxed, ...totals } = computeTaxes({ lines: priced, discountPercent, tip });
  const items = taxed.map((line, i) =>
    saleItemBody({
      quantity: lines[i]!.quantity,
      unit_price: priced[i]!.unit_price,
      subtotal: line.subtotal,
      tax_class: lines[i]!.tax_class,
      taxes: line.taxes,
    }),
  );
  return saleBody(at, { ...totals, items, document_kind, discount_percent: discountPercent });
}
