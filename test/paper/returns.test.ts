import { expect, test } from "vitest";
import { sql } from "../../src/db/sql.ts";
import { bogotaDate } from "../../src/taxes/bogota-time.ts";
import { changeSale, ringUp } from "../support/fiscal.ts";
import { sharedService } from "../support/fixtures.ts";
import { decideAll } from "../support/issuing.ts";
import { everyClass, newBuyer, openPapers, saleOf } from "../support/papers.ts";
import { qrIn, readPdf } from "../support/pdf.ts";

const service = sharedService();
const today = () => bogotaDate(service.deps.clock.now());

async function returning() {
  const owner = await openPapers(service);
  const [sale] = await ringUp(service, owner.accountId, (at) => [saleOf(at, everyClass, { payment_method: "NEQUI" })]);
  await decideAll(service);
  const lines = [{ item_id: sale!.items[0]!.id, quantity: 1 }];
  const asked = { lines, payment_method: "CASH", reason: "Venía golpeada" };
  const { status, body } = await owner.post(`/sales/${sale!.id}/returns`, asked);
  expect(status).toBe(201);
  return { owner, sale: sale!, id: body.return.id as string };
}

test("a return has a paper of its own, and its note one with a QR", async () => {
  const { owner, id } = await returning();
  const text = async (width: string) =>
    (await readPdf((await owner.download(`/returns/${id}/pdf?width=${width}`)).bytes)).text;
  expect(await text("80")).toContain("PENDIENTE");
  await decideAll(service);
  for (const width of ["a4", "80", "58"]) {
    const shown = await text(width);
    for (const field of [
      "COMPROBANTE DE DEVOLUCIÓN",
      "NA1",
      "EPOS1",
      "Gaseosa cola",
      "Efectivo",
      "Venía golpeada",
      "$ 6.500",
    ])
      expect(shown).toContain(field);
    expect(shown).not.toContain("PENDIENTE");
  }
  const { invoice_id } = (await owner.get(`/records/returns/${id}`)).body;
  const note = await readPdf((await owner.download(`/invoices/${invoice_id}/pdf`)).bytes);
  for (const field of ["NOTA DE AJUSTE", "EPOS1", "Devolución parcial", "$ 6.500"]) expect(note.text).toContain(field);
  expect(qrIn(await note.picture())).toMatch(/searchqr\?documentkey=[0-9a-f]{96}$/);
});

test("a return counts on its day with the means it was paid back with, and its note is no second one", async () => {
  const { owner, sale } = await returning();
  await decideAll(service);
  const { sales, returns } = (await owner.get(`/days/${today()}/z`)).body;
  expect(sales).toMatchObject({ count: 1, total: sale.total });
  expect(returns).toMatchObject({
    count: 1,
    total: 6500,
    payments: [{ payment_method: "CASH", count: 1, amount: 6500 }],
  });
  expect(returns.taxes).toEqual([{ code: "01", rate: 19, per_unit: null, base: 5462, amount: 1038 }]);
  const csv = (await owner.download(`/days/${today()}/journal.csv`)).bytes.toString();
  expect(csv).toContain("417505");
});

test("a mixed payment counts by its parts, unless they do not add up", async () => {
  const owner = await openPapers(service);
  const bread = [{ description: "Pan", quantity: 1, price: 5000, taxClass: "excluded" }] as const;
  const [right, wrong] = await ringUp(service, owner.accountId, (at) => [saleOf(at, bread), saleOf(at, bread)]);
  const parts = (cash: number) =>
    JSON.stringify([
      { payment_method: "CASH", amount: cash },
      { payment_method: "CARD", amount: 2000 },
    ]);
  const put = (id: string, cash: number) =>
    service.deps.pool.query(sql`
      update sales set payments = ${parts(cash)} where account_id = ${owner.accountId} and id = ${id}`);
  await put(right!.id, 3000);
  await put(wrong!.id, 1);
  expect((await owner.get(`/days/${today()}/z`)).body.sales).toMatchObject({
    total: 10_000,
    payments: [
      { payment_method: "CASH", count: 2, amount: 8000 },
      { payment_method: "CARD", count: 1, amount: 2000 },
    ],
  });
});

test("a note that a register issued for a return has the returned lines, and names the document with its code", async () => {
  const { owner, sale, id } = await returning();
  await decideAll(service);
  const { invoice_id } = (await owner.get(`/records/returns/${id}`)).body;
  await service.deps.pool.query(sql`
    update fiscal_documents set content = null where account_id = ${owner.accountId} and invoice_id = ${invoice_id}`);
  const { text } = await readPdf((await owner.download(`/invoices/${invoice_id}/pdf`)).bytes);
  const day = today().split("-").toReversed().join("/");
  for (const field of [`EPOS1 del ${day}`, "Gaseosa cola", "$ 6.500", "CUDE del documento que corrige"])
    expect(text).toContain(field);
  expect(text).not.toContain("Café molido");
  expect(text.replaceAll(" ", "")).toContain(sale.invoices[0]!.cufe);
});

test("a sale that got an invoice and was cancelled then went back once", async () => {
  const owner = await openPapers(service);
  const [sale] = await ringUp(service, owner.accountId, (at) => [saleOf(at, everyClass)]);
  await decideAll(service);
  const buyer = await newBuyer(service, owner.accountId);
  expect((await owner.post(`/sales/${sale!.id}/invoice`, { customer_id: buyer.id })).status).toBe(202);
  await decideAll(service);
  await decideAll(service);
  await changeSale(service, owner.accountId, sale!.id, { status: "cancelled" });
  await decideAll(service);
  const { sales, returns } = (await owner.get(`/days/${today()}/z`)).body;
  expect([sales.count, sales.total, returns.count, returns.total]).toEqual([1, sale!.total, 1, sale!.total]);
});

test("a return of another account has no paper", async () => {
  const { id } = await returning();
  expect((await (await openPapers(service)).get(`/returns/${id}/pdf`)).status).toBe(404);
});
