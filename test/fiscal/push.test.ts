import { expect, test } from "vitest";
import { authorityFor } from "../../src/fiscal/authority/authority-for.ts";
import { fiscalWorker } from "../../src/fiscal/documents/worker.ts";
import { verify } from "../../src/operations/verify/verify.ts";
import { advance, documentsOf, fiscalBusiness, plainSale } from "../support/fiscal.ts";
import { shared, sharedService } from "../support/fixtures.ts";
import { enrol, upload } from "../support/register.ts";

const service = sharedService();
const shop = shared(() => fiscalBusiness(service));
const till = shared(() => enrol(service, shop.accountId));
const worker = shared(() => fiscalWorker(service.deps, authorityFor(service.deps)));

/** The events of one sale and its documents, oldest first. */
async function eventsOf(saleId: string) {
  const { body } = await shop.api.get("/events?order=asc&limit=100");
  return (
    body.data as { type: string; data: { object: { id: string; sale_id?: string; invoices?: unknown[] } } }[]
  ).filter(({ data }) => data.object.id === saleId || data.object.sale_id === saleId);
}

async function decide(): Promise<void> {
  await worker.workOff();
  advance(service, 10_000);
  await worker.workOff();
}

test("a register's completed sale gets its document in the same write, and the authority's decision later", async () => {
  const sale = plainSale(new Date().toISOString(), 5000);
  expect(await till.put("sale", upload(sale))).toMatchObject({ status: "applied" });
  const stored = (await shop.api.get(`/sales/${sale.id}`)).body;
  expect(stored.invoices).toMatchObject([
    { document_type: "pos_document", status: "pending", prefix: "EPOS", number: 1 },
  ]);
  const events = await eventsOf(sale.id);
  expect(events.map(({ type }) => type)).toEqual(["sale.created", "sale.completed"]);
  expect(events[1]!.data.object).toEqual(stored);

  await decide();
  expect(await documentsOf(service, shop.accountId, sale.id)).toMatchObject([{ status: "issued", number: 1 }]);
  expect((await eventsOf(sale.id)).map(({ type }) => type)).toEqual([
    "sale.created",
    "sale.completed",
    "invoice.issued",
  ]);
});

test("cancelling a sale at the register creates a note, and the original is annulled when the note is accepted", async () => {
  const sale = plainSale(new Date().toISOString(), 7000);
  await till.put("sale", upload(sale));
  await decide();
  await till.put("sale", upload({ ...sale, status: "cancelled" }), { changed: ["status"] });
  await decide();
  expect(await documentsOf(service, shop.accountId, sale.id)).toMatchObject([
    { document_type: "pos_document", status: "annulled" },
    { document_type: "pos_adjustment_note", status: "issued" },
  ]);
});

test("a register may still change a sale after the server issued its document", async () => {
  const sale = plainSale(new Date().toISOString(), 9000);
  await till.put("sale", upload(sale));
  await decide();
  expect(await till.put("sale", upload({ ...sale, notes: "con afán" }), { changed: ["notes"] })).toMatchObject({
    status: "applied",
  });
  const stored = (await shop.api.get(`/sales/${sale.id}`)).body;
  expect(stored).toMatchObject({ notes: "con afán", invoices: [{ status: "issued" }] });
});

test("of several versions in one push, those from the sale's final state on list its document", async () => {
  const sale = plainSale(new Date().toISOString(), 3000);
  const versions = [{ status: "open" }, {}, { notes: "para llevar" }];
  await till.push(versions.map((fields) => ({ type: "sale", id: sale.id, data: upload({ ...sale, ...fields }) })));
  const stored = (await shop.api.get(`/sales/${sale.id}`)).body;
  expect(stored.invoices).toHaveLength(1);
  const events = await eventsOf(sale.id);
  expect(events.map(({ type, data }) => [type, data.object.invoices])).toEqual([
    ["sale.created", []],
    ["sale.updated", stored.invoices],
    ["sale.completed", stored.invoices],
    ["sale.updated", stored.invoices],
  ]);
  expect(events.map(({ data }) => (data.object as { notes?: string }).notes)).toEqual([
    ...[null, null, null],
    "para llevar",
  ]);
  expect(events.at(-1)!.data.object).toEqual(stored);
});

test("fifty concurrent sales are numbered without a gap, and everything adds up", async () => {
  const sales = Array.from({ length: 50 }, (_, i) => plainSale(new Date().toISOString(), 1000 + 100 * i));
  await till.push(sales.map((sale) => ({ type: "sale", id: sale.id, data: upload(sale) })));
  const numbers = await Promise.all(
    sales.map(async ({ id }) => (await documentsOf(service, shop.accountId, id))[0]!.number),
  );
  expect(numbers).toEqual(sales.map((_, i) => numbers[0]! + i));
  expect((await verify(service.deps.pool)).problems).toEqual([]);
});
