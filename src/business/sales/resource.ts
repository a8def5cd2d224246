import { equal, since, until } from "../../engine/resources/filters.ts";
import { keyText } from "../../engine/resources/key-text.ts";
import { externalIdColumn } from "../../engine/resources/own-fields.ts";
import { type OwnedColumns, ownedColumnTypes } from "../../engine/resources/owned-columns.ts";
import { atLocation, locationColumn } from "../../engine/resources/placed.ts";
import { defineResource } from "../../engine/resources/resource.ts";
import { passthroughOf } from "../sale-totals/definition.ts";
import { Sale, SaleQuery } from "./schema.ts";
import { moveSaleTotals } from "./totals.ts";

/**
 * payments: the means of the sale as JSON text, each with its reference if it has one; it publishes the largest. cashier_id: who
 * rang it up. ticket_number: what its ticket says, its place in the shift. order_id: the order that it says it is of. settled: what later uploads no longer change.
 * `returned`: its lines and amounts; `invoiced`: its kind and its buyer; `cancelled`: all of these, its day and that it was sold and
 * cancelled; `corrected`: what the books counted on its day, whatever it is now.
 */
export interface SaleColumns extends OwnedColumns {
  payments?: string | null;
  cashier_id?: string | null;
  ticket_number?: number | null;
  order_id?: string | null;
  settled?: ("returned" | "invoiced" | "cancelled" | "corrected")[] | null;
}

export const sales = defineResource<Sale, SaleColumns>({
  name: "sale",
  table: "sales",
  path: "/sales",
  scope: "sales",
  tag: {
    name: "Ventas",
    text: "Ventas registradas por las cajas, con sus líneas, impuestos y documentos. Ingreso neto = `total` − `tax` − `tip_amount`.",
  },
  spanish: { one: "una venta", many: "ventas" },
  schema: Sale,
  query: SaleQuery,
  derived: {
    status: { type: "text", from: (body) => keyText(body.status) },
    document_kind: { type: "text", from: (body) => body.document_kind },
    customer_id: { type: "uuid", from: (body) => body.customer_id },
    cash_session_id: { type: "uuid", from: (body) => body.cash_session_id },
    occurred_at: { type: "timestamptz", from: (body) => body.occurred_at },
    payment_method: { type: "text", from: (body) => keyText(body.payment_method) },
    total: { type: "bigint", from: (body) => body.total },
    tax_amount: { type: "bigint", from: (body) => body.tax },
    tip_amount: { type: "bigint", from: (body) => body.tip_amount },
    ...externalIdColumn,
    passthrough: { type: "bigint", from: (body) => passthroughOf(body.items) || null },
    ...locationColumn,
  },
  private: {
    ...ownedColumnTypes,
    settled: "text[]",
    payments: "text",
    cashier_id: "uuid",
    ticket_number: "int",
    order_id: "uuid",
  },
  totals: moveSaleTotals,
  conditions: (query: SaleQuery, _now: Date, accountId: string) => [
    ...atLocation(query.location_id, accountId),
    ...equal("status", query.status),
    ...equal("document_kind", query.document_kind),
    ...equal("customer_id", query.customer_id),
    ...equal("cash_session_id", query.cash_session_id),
    ...equal("external_id", query.external_id),
    ...since("occurred_at", query.occurred_since),
    ...until("occurred_at", query.occurred_until),
  ],
});
