import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { sql } from "../../src/db/sql.ts";
import { iva } from "../../src/taxes/tax-classes.ts";
import { enrol, upload } from "../support/register.ts";
import { bag, returningShop, returnOf, saleOf } from "../support/returning.ts";

const { service, shop, owner, till, other, decide, stock, sell, documents, read, returnsOf } = returningShop();

const sodas = (fields: object = {}) => saleOf([{ quantity: 3, unit_price: 3333 }], fields);

describe("a return that a register uploads", () => {
  test("without announcing that it makes them is kept for a person and changes nothing, until it announces it", async () => {
    const { product, shift } = await stock();
    const sale = await sell(saleOf([{ quantity: 3, unit_price: 3200, product_id: product.id }]));
    await decide();
    const old = await enrol(service, shop.accountId, { name: "Caja vieja" });
    const { id, ...data } = returnOf(sale, [1], { payment_method: "CASH", cash_session_id: shift.id });
    const refused = { status: "quarantined", code: "CAPABILITY_MISSING" };
    expect(await old.put("return", data, { id })).toMatchObject(refused);
    const silent = await enrol(service, shop.accountId, { name: "Caja muda", capabilities: null });
    expect(await silent.put("return", data, { id })).toMatchObject(refused);
    expect(await returnsOf(sale.id)).toEqual([]);
    expect((await read(`/products/${product.id}`)).stock).toBe(97);
    expect(await read(`/cash-sessions/${shift.id}`)).toMatchObject({ cash_refunds: 0 });
    const { rows } = await service.deps.pool.query(sql`
      select reason from quarantined_records where account_id = ${shop.accountId}`);
    expect(rows).toEqual(Array(2).fill({ reason: expect.stringContaining("sin anunciar return.1") }));
    const upgraded = { app_version: "4.0.0", capabilities: ["product.remote_edit.1", "return.1"] };
    const { body } = await old.push([{ type: "return", id, data }], upgraded);
    expect(body.results).toMatchObject([{ status: "applied" }]);
    expect(await returnsOf(sale.id)).toHaveLength(1);
  });

  test("is one act: the record, its note, the stock, the shift's cash and the sale's change", async () => {
    const { product, shift, warehouse } = await stock();
    const sale = await sell(
      saleOf([{ quantity: 3, unit_price: 3200, product_id: product.id }], { cash_session_id: shift.id }),
    );
    await decide();
    const made = returnOf(sale, [1], {
      payment_method: "CASH",
      cash_session_id: shift.id,
      reason: "Golpeada",
      total: 3200,
    });
    expect(await till.put("return", made)).toMatchObject({ status: "applied", code: null });

    const [record] = await returnsOf(sale.id);
    expect(record).toMatchObject({
      object: "return",
      id: made.id,
      kind: "partial",
      total: 3200,
      tax: 511,
      payment_method: "CASH",
      cash_session_id: shift.id,
      lines: [{ item_id: sale.items[0]!.id, quantity: 1, total: 3200, taxes: [{ base: 2689, amount: 511 }] }],
    });
    const [original, note] = await documents(sale.id);
    expect(note).toMatchObject({
      id: record.invoice_id,
      document_type: "pos_adjustment_note",
      type_document_id: 26,
      status: "pending",
      document_reason: "Devolución parcial: Golpeada",
      subtotal: 2689,
      tax: 511,
      total: 3200,
    });
    expect((await read(`/products/${product.id}`)).stock).toBe(98);
    const { data: movements } = await read(`/inventory/movements?product_id=${product.id}&type=return`);
    expect(movements).toMatchObject([
      { origin_type: "return", quantity: 1, sale_id: sale.id, warehouse_id: warehouse.id, reason: "Golpeada" },
    ]);
    expect(await read(`/cash-sessions/${shift.id}`)).toMatchObject({ cash_refunds: 3200, expected_amount: 96_800 });
    const { data: events } = await read("/events?type=sale.updated");
    expect(events[0].data.object).toEqual(await read(`/sales/${sale.id}`));

    await decide();
    expect((await documents(sale.id)).map(({ status }) => status)).toEqual(["issued", "issued"]);
    const { rows } = await service.deps.pool.query(sql`
      select content->'annuls' as note from fiscal_documents where account_id = ${shop.accountId} and invoice_id = ${note!.id}`);
    expect(JSON.parse(rows[0].note)).toMatchObject({ number: "EPOS1", cufe: original!.cufe, concept: 1 });
  });

  test("of everything annuls the document, with its tip, by a note of concept 2", async () => {
    const sale = await sell(
      saleOf(
        [
          { quantity: 2, unit_price: 6500 },
          { quantity: 1, unit_price: 4000, taxes: [] },
        ],
        {},
        0,
        1000,
      ),
    );
    await decide();
    await till.put("return", returnOf(sale, [2, 1]));
    expect(await returnsOf(sale.id)).toMatchObject([{ kind: "full", total: sale.total, tip_amount: 1000 }]);
    await decide();
    expect(await documents(sale.id)).toMatchObject([
      { status: "annulled", total: sale.total },
      { status: "issued", total: sale.total, document_reason: "Devolución total" },
    ]);
  });

  test("of an invoice gets a credit note", async () => {
    const sale = await sell(sodas({ document_kind: "invoice" }));
    await decide();
    await till.put("return", returnOf(sale, [1]));
    expect((await documents(sale.id))[1]).toMatchObject({ document_type: "other", type_document_id: 4 });
  });

  test("after others of the same line sums up to the line, to the peso", async () => {
    const sale = await sell(
      saleOf(
        [
          { quantity: 3, unit_price: 3333 },
          { quantity: 1.735, unit_price: 2600, taxes: [] },
          { quantity: 2, unit_price: 0, taxes: [bag], tax_class: "bag" },
          { quantity: 1, unit_price: 15_900, taxes: [iva(5)] },
        ],
        {},
        777,
      ),
    );
    await decide();
    for (const quantities of [
      [1, 0.5, 1],
      [1, 0.7],
      [1, 0.535, 1, 1],
    ]) {
      expect(await till.put("return", returnOf(sale, quantities))).toMatchObject({ status: "applied" });
    }
    const made = await returnsOf(sale.id);
    const sum = (field: string) => made.reduce((total: number, one: Record<string, number>) => total + one[field]!, 0);
    expect([sum("total"), sum("tax"), sum("discount"), sum("subtotal")]).toEqual([
      sale.total,
      sale.tax,
      sale.discount,
      sale.subtotal,
    ]);
    expect(made.map(({ kind }: { kind: string }) => kind)).toEqual(["partial", "partial", "partial"]);
    await decide();
    const [original, ...notes] = await documents(sale.id);
    expect(notes.reduce((total, note) => total + note.total, 0)).toBe(original!.total);
  });

  test("uploaded again, or by a register that enrolled anew, is the same return", async () => {
    const sale = await sell(sodas());
    const made = returnOf(sale, [1]);
    await till.put("return", made);
    expect(await till.put("return", made)).toMatchObject({ status: "duplicate" });
    expect(await other.put("return", made)).toMatchObject({ status: "duplicate" });
    expect(await other.put("return", { ...made, lines: [{ ...made.lines[0], quantity: 2 }] })).toMatchObject({
      status: "merged",
      record: { id: made.id, lines: [{ quantity: 1 }] },
    });
    expect(await returnsOf(sale.id)).toHaveLength(1);
  });

  test("never takes back more than is left, whichever register brings it", async () => {
    const { shift } = await stock();
    const sale = await sell(sodas());
    await decide();
    const paid = { payment_method: "CASH", cash_session_id: shift.id };
    const ofThatRegister = returnOf(sale, [2], paid);
    const answers = await Promise.all([
      till.put("return", ofThatRegister),
      other.put("return", returnOf(sale, [2], paid)),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(["applied", "applied"]);
    const made = await returnsOf(sale.id);
    expect(made.map((one: { lines: { quantity: number }[] }) => one.lines[0]!.quantity)).toEqual([2, 1]);
    expect(await other.put("return", returnOf(sale, [1]))).toMatchObject({
      status: "quarantined",
      code: "NOTHING_TO_RETURN",
    });
    // Another register takes nothing out of this drawer, whatever it says.
    const own = made.find(({ id }: { id: string }) => id === ofThatRegister.id);
    expect((await read(`/cash-sessions/${shift.id}`)).cash_refunds).toBe(own.total);
    const { rows } = await service.deps.pool.query(sql`
      select findings from flagged_records where account_id = ${shop.accountId} and type = 'return'`);
    expect(JSON.parse(rows[0].findings)).toMatchObject([
      { field: "lines", expected: 1, got: 2 },
      { field: "cash_session_id", message: expect.stringContaining("otra caja") },
    ]);
  });

  test("before its sale waits for it, and pays out of its shift then", async () => {
    const { shift } = await stock();
    const sale = sodas();
    const made = returnOf(sale, [1], { payment_method: "CASH", cash_session_id: shift.id });
    expect(await till.put("return", made)).toMatchObject({ status: "parked" });
    await till.put("sale", upload({ ...sale, status: "open" }));
    expect(await returnsOf(sale.id)).toEqual([]);
    await till.put("sale", upload(sale));
    expect(await returnsOf(sale.id)).toMatchObject([{ id: made.id, kind: "partial" }]);
    expect((await read(`/cash-sessions/${shift.id}`)).cash_refunds).toBe(3333);
    await decide();
    expect(await documents(sale.id)).toMatchObject([{ status: "issued" }, { status: "issued", total: 3333 }]);
  });

  test("pays its cash out of a shift that arrives later, and of one that its register uploads again", async () => {
    const { shift } = await stock();
    const late = { ...shift, id: randomUUID() };
    const sale = await sell(sodas());
    for (const { id } of [shift, late])
      await till.put("return", returnOf(sale, [1], { payment_method: "CASH", cash_session_id: id }));
    await till.put("cash_session", upload({ ...late, cash_sales: 9999, expected_amount: 109_999 }));
    expect(await till.put("cash_session", upload(shift))).toMatchObject({ status: "duplicate" });
    const closed = { status: "closed", closed_at: new Date().toISOString(), counted_amount: 96_667, difference: null };
    await till.put("cash_session", upload({ ...shift, ...closed }));
    expect(await read(`/cash-sessions/${late.id}`)).toMatchObject({ cash_refunds: 3333, expected_amount: 106_666 });
    expect(await read(`/cash-sessions/${shift.id}`)).toMatchObject({
      cash_refunds: 3333,
      expected_amount: 96_667,
      difference: 0,
    });
  });

  test("paid in parts takes only its cash out of the shift", async () => {
    const { shift } = await stock();
    const sale = await sell(sodas());
    const payments = [
      { payment_method: "CASH", amount: 1333 },
      { payment_method: "NEQUI", amount: 2000 },
    ];
    const { id, ...data } = returnOf(sale, [1], { cash_session_id: shift.id });
    await till.push([{ type: "return", id, data, payments } as never]);
    expect(await returnsOf(sale.id)).toMatchObject([{ payment_method: "NEQUI", total: 3333 }]);
    expect((await read(`/cash-sessions/${shift.id}`)).cash_refunds).toBe(1333);
  });
});

describe("the note of a return", () => {
  test("waits for the verdict on the sale's document", async () => {
    const sale = await sell(sodas());
    await till.put("return", returnOf(sale, [1]));
    expect(await documents(sale.id)).toMatchObject([{ status: "pending" }]);
    expect(await returnsOf(sale.id)).toMatchObject([{ invoice_id: null }]);
    await decide();
    const [, note] = await documents(sale.id);
    expect(note).toMatchObject({ status: "issued", total: 3333 });
    expect(await returnsOf(sale.id)).toMatchObject([{ invoice_id: note!.id }]);
  });

  test("is for what is left when the sale is cancelled afterwards, and the document is annulled", async () => {
    const sale = await sell(sodas());
    await decide();
    await till.put("return", returnOf(sale, [1]));
    await till.put("sale", upload({ ...sale, status: "cancelled" }));
    await decide();
    expect(await documents(sale.id)).toMatchObject([
      { status: "annulled", total: 9999 },
      { total: 3333, document_reason: "Devolución parcial" },
      { total: 6666, document_reason: "Anulación de la venta", status: "issued" },
    ]);
    expect(await till.put("return", returnOf(sale, [1]))).toMatchObject({ status: "quarantined" });
  });

  test("that the authority rejects is sent again as it was", async () => {
    // The simulated authority rejects what ends in 13.
    const sale = await sell(saleOf([{ quantity: 2, unit_price: 4013 }]));
    await decide();
    await till.put("return", returnOf(sale, [1]));
    await decide();
    const [, note] = await documents(sale.id);
    expect(note).toMatchObject({ status: "rejected", total: 4013 });
    const again = await owner.post(`/invoices/${note!.id}/resend`);
    expect(again.body).toMatchObject({ status: "pending", number: note!.number });
    expect((await documents(sale.id))[1]).toMatchObject({ total: 4013, tax: note!.tax });
  });

  test("does not exist in a shop with internal documents: only a full return annuls one", async () => {
    await service.deps.pool.query(
      sql`update fiscal_profiles set documents = 'internal' where account_id = ${shop.accountId}`,
    );
    const [part, whole] = [await sell(sodas()), await sell(sodas())];
    await till.put("return", returnOf(part, [1]));
    await till.put("return", returnOf(whole, [3]));
    expect(await documents(part.id)).toMatchObject([{ status: "issued" }]);
    expect(await documents(whole.id)).toMatchObject([{ status: "annulled" }]);
  });
});

test("a sale keeps its lines and amounts once something of it was returned", async () => {
  const sale = await sell(sodas());
  await till.put("return", returnOf(sale, [2]));
  const smaller = saleOf([{ quantity: 1, unit_price: 3333 }]);
  const edited = {
    ...smaller,
    id: sale.id,
    notes: "corregida",
    items: [{ ...smaller.items[0]!, id: sale.items[0]!.id }],
  };
  expect(await till.put("sale", upload(edited))).toMatchObject({ status: "applied" });
  expect(await read(`/sales/${sale.id}`)).toMatchObject({ total: 9999, notes: "corregida", items: [{ quantity: 3 }] });
  const flagged = (await owner.get(`/devices/${till.deviceId}/flagged`)).body.data;
  expect(flagged).toMatchObject([{ record_id: sale.id, findings: [{ field: "total", expected: 9999, got: 3333 }] }]);
});
