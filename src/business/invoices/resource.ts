import { equal, since, until } from "../../engine/resources/filters.ts";
import { type OwnedColumns, ownedColumnTypes } from "../../engine/resources/owned-columns.ts";
import { atLocation, locationColumn } from "../../engine/resources/placed.ts";
import { defineResource } from "../../engine/resources/resource.ts";
import { Invoice, InvoiceQuery } from "./schema.ts";

/** wanted_sale_id: the sale that an upload named before the sale itself arrived. */
export interface InvoiceColumns extends OwnedColumns {
  wanted_sale_id?: string | null;
}

export const invoices = defineResource<Invoice, InvoiceColumns>({
  name: "invoice",
  table: "invoices",
  path: "/invoices",
  scope: "invoices",
  tag: {
    name: "Documentos",
    text: "Documentos de una venta, electrónicos ante la DIAN o internos. El PDF y el XML no se publican en v1.",
  },
  spanish: { one: "un documento", many: "documentos" },
  schema: Invoice,
  query: InvoiceQuery,
  derived: {
    status: { type: "text", from: (body) => body.status },
    document_type: { type: "text", from: (body) => body.document_type },
    sale_id: { type: "uuid", from: (body) => body.sale_id },
    issued_at: { type: "timestamptz", from: (body) => body.issued_at },
    total: { type: "bigint", from: (body) => body.total },
    tax_amount: { type: "bigint", from: (body) => body.tax },
    ...locationColumn,
  },
  private: { ...ownedColumnTypes, wanted_sale_id: "uuid" },
  feed: {
    includes: ({ body }) => body.sale_id !== null,
    condition: `sale_id is not null and exists (
      select from sales s where s.account_id = invoices.account_id and s.id = invoices.sale_id and s.device_id = $4)`,
    capability: "document.down.1",
  },
  conditions: (query: InvoiceQuery, _now: Date, accountId: string) => [
    ...atLocation(query.location_id, accountId),
    ...equal("status", query.status),
    ...equal("document_type", query.document_type),
    ...equal("sale_id", query.sale_id),
    ...since("issued_at", query.issued_since),
    ...until("issued_at", query.issued_until),
  ],
});
