import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Customer } from "../../src/business/customers/schema.ts";
import type { Sale } from "../../src/business/sales/schema.ts";
import { sql } from "../../src/db/sql.ts";
import { customerBody, invoiceBody } from "../support/records.ts";
import { refusal } from "../support/refusal.ts";
import { upload } from "../support/register.ts";
import { returningShop, returnOf, saleOf } from "../support/returning.ts";

const { service, shop, owner, till, decide, worker, sell, documents, read } = returningShop();

const sodas = (fields: Partial<Sale> = {}) => saleOf([{ quantity: 3, unit_price: 3200 }], fields);

async function buyer(fields: Partial<Customer> = {}): Promise<Customer> {
  const body = customerBody(new Date().toISOString(), {
    document_type: "NIT",
    document_number: "901234567-7",
    ...fields,
  });
  await till.put("customer", upload(body));
  return body;
}

const ask = (sale: Sale, customerId: string) => owner.post(`/sales/${sale.id}/invoice`, { customer_id: customerId });
const told = async (sale: Sale) =>
  (await documents(sale.id)).map(({ document_type, status }) => `${document_type} ${status}`);

describe("a POS document becomes an invoice", () => {
  test("at the owner's request: the note annuls it, and the invoice follows when the note is accepted", async () => {
    const sale = await sell(sodas());
    const { id } = await buyer();
    await decide();
    const answer = await ask(sale, id);
    expect(answer.status).toBe(202);
    expect(answer.body.sale).toMatchObject({ document_kind: "invoice", customer_id: id });
    expect(await told(sale)).toEqual(["pos_document issued", "pos_adjustment_note pending"]);

    await decide();
    expect(await told(sale)).toEqual([
      "pos_document annulled",
      "pos_adjustment_note issued",
      "electronic_invoice issued",
    ]);
    const [pos, note, invoice] = await documents(sale.id);
    expect(note).toMatchObject({ total: pos!.total, document_reason: "Se reemplaza por factura electrónica" });
    expect(invoice).toMatchObject({ prefix: "SETP", number: 1, total: sale.total });
    const [log] = (await owner.get("/audit-log")).body.data;
    expect(log).toMatchObject({ action: "sale.invoiced", details: { sale_id: sale.id, customer_id: id } });
  });

  test("at its register's request: the sale comes again with that kind and the buyer", async () => {
    const sale = await sell(sodas());
    const { id } = await buyer();
    await decide();
    const asked = { ...sale, document_kind: "invoice" as const, customer_id: id };
    expect(await till.put("sale", upload(asked))).toMatchObject({ status: "applied" });
    expect(await told(sale)).toEqual(["pos_document issued", "pos_adjustment_note pending"]);
    await till.put("sale", upload({ ...asked, notes: "con NIT" }));
    await decide();
    expect(await told(sale)).toEqual([
      "pos_document annulled",
      "pos_adjustment_note issued",
      "electronic_invoice issued",
    ]);
  });

  test("while it is still pending: after its verdict", async () => {
    const sale = await sell(sodas());
    const { id } = await buyer();
    expect((await ask(sale, id)).status).toBe(202);
    expect(await told(sale)).toEqual(["pos_document pending"]);
    await decide();
    expect(await told(sale)).toEqual([
      "pos_document annulled",
      "pos_adjustment_note issued",
      "electronic_invoice issued",
    ]);
  });

  test("also one that the register issued itself: its note is of a POS document and names the buyer it was sold to", async () => {
    const first = await buyer({ document_type: "CC", document_number: "1020456789" });
    const sale = sodas({ customer_id: first.id });
    const own = invoiceBody(sale.occurred_at, {
      sale_id: sale.id,
      document_type: "pos_document",
      type_document_id: 15,
      status: "issued",
      prefix: "CAJA",
      number: 7,
      cufe: "c".repeat(96),
      total: sale.total,
      tax: sale.tax,
      subtotal: sale.total - sale.tax,
    });
    await till.push([
      { type: "invoice", id: own.id, data: upload(own) },
      { type: "sale", id: sale.id, data: upload(sale) },
    ]);
    const second = await buyer();
    expect((await ask(sale, second.id)).status).toBe(202);
    await decide();
    expect(await told(sale)).toEqual([
      "pos_document annulled",
      "pos_adjustment_note issued",
      "electronic_invoice issued",
    ]);
    const { rows } = await service.deps.pool.query(sql`
      select (content->>'type_document_id')::int as type, content->'customer'->>'document_number' as buyer,
        content->'annuls'->>'number' as corrects
      from fiscal_documents where account_id = ${shop.accountId} order by created_at`);
    expect(rows).toEqual([
      { type: 26, buyer: "1020456789", corrects: "CAJA7" },
      { type: 1, buyer: "901234567-7", corrects: null },
    ]);
  });

  test("once, however often it is asked for", async () => {
    const sale = await sell(sodas());
    const { id } = await buyer();
    const another = await buyer();
    await decide();
    const answers = await Promise.all([1, 2, 3].map(() => ask(sale, id)));
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
    expect(refusal(await ask(sale, another.id))).toEqual([409, "SWITCH_NOT_POSSIBLE", "customer_id"]);
    await decide();
    await ask(sale, id);
    await decide();
    expect(await told(sale)).toHaveLength(3);
  });

  test("and its register, which does not know, changes neither kind nor buyer back", async () => {
    const sale = await sell(sodas());
    const { id } = await buyer();
    await decide();
    await ask(sale, id);
    await till.put("sale", upload({ ...sale, notes: "para llevar" }));
    expect(await read(`/sales/${sale.id}`)).toMatchObject({
      document_kind: "invoice",
      customer_id: id,
      notes: "para llevar",
    });
  });

  test("no more when its sale is cancelled meanwhile", async () => {
    const sale = await sell(sodas());
    const { id } = await buyer();
    await decide();
    await ask(sale, id);
    await worker.workOff();
    await till.put("sale", upload({ ...sale, status: "cancelled" }));
    await decide();
    expect(await told(sale)).toEqual(["pos_document annulled", "pos_adjustment_note issued"]);
  });

  test("and what is returned or cancelled afterwards is corrected on the invoice", async () => {
    const [returned, cancelled] = [await sell(sodas()), await sell(sodas())];
    const { id } = await buyer();
    await decide();
    for (const sale of [returned, cancelled]) await ask(sale, id);
    await till.put("return", returnOf(returned, [1]));
    await decide();
    expect((await documents(returned.id)).at(-1)).toMatchObject({ type_document_id: 4, status: "issued", total: 3200 });
    await till.put("sale", upload({ ...cancelled, status: "cancelled" }));
    await decide();
    expect(await told(cancelled)).toEqual([
      "pos_document annulled",
      "pos_adjustment_note issued",
      "electronic_invoice annulled",
      "other issued",
    ]);
  });
});

describe("it stays as it is", () => {
  const words = async (sale: Sale, customerId: string) => {
    const answer = await ask(sale, customerId);
    expect(answer.status).toBe(409);
    return answer.body.error.message as string;
  };

  test("when something was returned, when there is an invoice, or when the sale is not completed", async () => {
    const { id } = await buyer();
    const returned = await sell(sodas());
    await till.put("return", returnOf(returned, [1]));
    expect(await words(returned, id)).toContain("tiene devoluciones");
    expect(await words(await sell(sodas({ document_kind: "invoice" })), id)).toContain("ya tiene factura");
    expect(await words(await sell(sodas({ status: "open" })), id)).toContain("completada");
    expect(await words(await sell(sodas({ status: "cancelled" })), id)).toContain("completada");
  });

  test("for a buyer who does not exist or has no document number", async () => {
    const sale = await sell(sodas());
    expect(await words(sale, randomUUID())).toContain("no existe");
    expect(await words(sale, (await buyer({ document_number: null })).id)).toContain("no tiene número de documento");
    const deleted = await buyer();
    await till.push([{ type: "customer", id: deleted.id, op: "delete" }]);
    expect(await words(sale, deleted.id)).toContain("eliminado");
  });

  test("when a register asks and it cannot be: the sale is flagged with the reason", async () => {
    const sale = await sell(sodas());
    const { id } = await buyer({ document_number: null });
    await till.put("sale", upload({ ...sale, document_kind: "invoice", customer_id: id }));
    expect(await read(`/sales/${sale.id}`)).toMatchObject({ document_kind: "pos" });
    const { data } = (await owner.get(`/devices/${till.deviceId}/flagged`)).body;
    expect(data[0].findings).toMatchObject([{ field: "document_kind", expected: "pos", got: "invoice" }]);
  });
});
