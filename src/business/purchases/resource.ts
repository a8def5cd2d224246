import { equal, matching } from "../../engine/resources/filters.ts";
import { externalIdColumn } from "../../engine/resources/own-fields.ts";
import { atLocation, locationColumn } from "../../engine/resources/placed.ts";
import { defineResource } from "../../engine/resources/resource.ts";
import { searchColumns } from "../../engine/resources/search-columns.ts";
import { Purchase, PurchaseQuery } from "./schema.ts";

/** What is bought, from the draft to the last payment. Registers know none of it. */
export const purchases = defineResource<Purchase>({
  name: "purchase",
  table: "purchases",
  path: "/purchases",
  scope: "purchases",
  tag: {
    name: "Compras",
    text: "Lo que se pide a los proveedores, lo que llega, en cuántas partes, y lo que se debe por ello.",
  },
  spanish: { one: "una compra", many: "compras" },
  schema: Purchase,
  query: PurchaseQuery,
  derived: {
    status: { type: "text", from: (body) => body.status },
    number: { type: "int", from: (body) => body.number },
    supplier_id: { type: "uuid", from: (body) => body.supplier_id },
    invoice_number: { type: "text", from: (body) => body.invoice_number },
    // What was cancelled leaves its invoice to another purchase.
    invoice_key: { type: "text", from: invoiceKey },
    cufe: { type: "text", from: (body) => (body.status === "cancelled" ? null : body.cufe) },
    due_date: { type: "text", from: (body) => body.due_date },
    balance: { type: "bigint", from: (body) => body.owed - body.paid },
    ...externalIdColumn,
    ...locationColumn,
    ...searchColumns(({ supplier_name, invoice_number, number, lines }: Purchase) => [
      supplier_name,
      invoice_number,
      `${number}`,
      ...lines.slice(0, searchedLines).map(({ description }) => description),
    ]),
  },
  private: {},
  conditions: (query: PurchaseQuery, _now: Date, accountId: string) => [
    ...atLocation(query.location_id, accountId),
    ...equal("status", query.status),
    ...equal("supplier_id", query.supplier_id),
    ...equal("invoice_number", query.invoice_number),
    ...equal("external_id", query.external_id),
    ...matching(query.q),
  ],
});

/** A search by what was bought looks at the first of its lines: the text of hundreds would be larger than the purchase. */
const searchedLines = 20;

/** One invoice of a supplier is one purchase, however its number is written. */
export function invoiceKey({
  supplier_id,
  invoice_number,
  status,
}: Pick<Purchase, "supplier_id" | "invoice_number" | "status">) {
  if (invoice_number === null || status === "cancelled") return null;
  const plain = invoice_number.replace(/[^\p{L}\p{N}]/gu, "").toUpperCase();
  return plain === "" ? null : `${supplier_id} ${plain}`;
}
