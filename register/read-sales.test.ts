import { expect, test } from "vitest";
import { UnreadableAnswer } from "./protocol.ts";
import { readSalesPage, readWholeSale } from "./read-sales.ts";

const listed = {
  id: "s",
  status: "completed",
  payment_method: "CASH",
  total: 3000,
  occurred_at: "2026-11-17T15:04:05.000Z",
  documents: ["EPOS1"],
};
const tax = { code: "01", name: "IVA", rate: 19, per_unit: null, base: 2521, amount: 479 };
const item = {
  ...{ id: "i", item_kind: "product", description: null, quantity: 1, unit_price: 3000, subtotal: 3000 },
  ...{ tax_class: "standard", taxes: [tax] },
};
const sums = { subtotal: 3000, discount: 0, discount_percent: 0, tax: 479, tip_amount: 0, total: 3000 };
const line = { item_id: "i", quantity: 1, unit_price: 3000, subtotal: 3000, discount: 0, total: 3000, tax_class: "" };
const whole = {
  sale: { ...listed, ...sums, document_kind: "pos", tax_breakdown: [tax], items: [item] },
  payments: [{ payment_method: "CARD", amount: 3000, reference: "AP-1" }],
  documents: [{ id: "d", sale_id: "s", document_type: "pos_document", status: "issued", number: 7 }],
  returns: [{ id: "r", payment_method: "CASH", occurred_at: listed.occurred_at, ...sums, lines: [line] }],
};

test("sales of other registers are read as the service tells them, what is absent as nothing", () => {
  const split = { ...listed, means: ["CASH", "NEQUI"] };
  const page = readSalesPage({ sales: [listed, split], cursor: "c", has_more: false }, "");
  const absent = { ticket_number: null, register: null, customer_name: null, description: null, is_returned: false };
  expect(page.sales).toEqual([
    { ...listed, ...absent, means: ["CASH"] },
    { ...split, ...absent },
  ]);
  const read = readWholeSale(whole);
  expect(read).toMatchObject({ id: "s", customer: null, can_invoice: false, payments: whole.payments });
  expect(read.data).toMatchObject({ total: 3000, items: [{ description: "", taxes: [tax] }] });
  expect(read.returns[0]).toMatchObject({ kind: "partial", lines: [{ item_id: "i", quantity: 1 }] });
});

test.each([
  ["a page of the hotel", "<html>"],
  ["no sale", {}],
  ["a sum that is text", { ...whole, sale: { ...whole.sale, total: "3000" } }],
  ["a sum without end", { ...whole, sale: { ...whole.sale, total: Number.POSITIVE_INFINITY } }],
  ["no day", { ...whole, sale: { ...whole.sale, occurred_at: "ayer" } }],
  ["lines that are none", { ...whole, sale: { ...whole.sale, items: [null] } }],
  ["a name that is an object", { ...whole, customer: { name: { toString: "x" } } }],
  ["a document without its sale", { ...whole, documents: [{ id: "d" }] }],
  ["a return without a sum", { ...whole, returns: [{ id: "r", lines: [] }] }],
])("nothing is taken of an answer with %s", (_what, answer) => {
  expect(() => readWholeSale(answer)).toThrow(UnreadableAnswer);
});

test("a page that leads nowhere is not asked for without end", () => {
  expect(() => readSalesPage({ sales: [], cursor: "c", has_more: true }, "c")).toThrow(UnreadableAnswer);
  expect(() => readSalesPage({ sales: [{ ...listed, total: null }], cursor: "", has_more: false }, "")).toThrow(
    UnreadableAnswer,
  );
});
