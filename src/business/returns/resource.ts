import { equal, since, until } from "../../engine/resources/filters.ts";
import { type OwnedColumns, ownedColumnTypes } from "../../engine/resources/owned-columns.ts";
import { atLocation, locationColumn } from "../../engine/resources/placed.ts";
import { defineResource } from "../../engine/resources/resource.ts";
import { Return, ReturnQuery } from "./schema.ts";
import { moveReturnTotals } from "./totals.ts";

/** cash_amount: what left the drawer. payments: the parts of the refund as JSON, if the register sent several. */
export interface ReturnColumns extends OwnedColumns {
  cash_amount?: number;
  payments?: string | null;
  cashier_id?: string | null;
}

export const returns = defineResource<Return, ReturnColumns>({
  name: "return",
  table: "returns",
  path: "/returns",
  scope: "sales",
  tag: {
    name: "Devoluciones",
    text: "Lo que un cliente devolvió de una venta, con el dinero devuelto y su nota. Las registran las cajas y el portal.",
  },
  spanish: { one: "una devolución", many: "devoluciones" },
  schema: Return,
  query: ReturnQuery,
  derived: {
    sale_id: { type: "uuid", from: (body) => body.sale_id },
    cash_session_id: { type: "uuid", from: (body) => body.cash_session_id },
    invoice_id: { type: "uuid", from: (body) => body.invoice_id },
    occurred_at: { type: "timestamptz", from: (body) => body.occurred_at },
    ...locationColumn,
  },
  private: { ...ownedColumnTypes, cash_amount: "bigint", payments: "text", cashier_id: "uuid" },
  totals: moveReturnTotals,
  // A register has counted its own. It is sent what the portal took out of its drawer, and what came back of its sales wherever that was; an open
  // shift's to any other too: one that is linked anew may not have uploaded it yet.
  feed: {
    includes: () => true,
    condition: `device_id is distinct from $4 and (device_id is null and exists (
        select from cash_sessions c where c.account_id = returns.account_id and c.id = returns.cash_session_id
          and (c.device_id = $4 or c.status = 'open'))
      or exists (select from sales s where s.account_id = returns.account_id and s.id = returns.sale_id and s.device_id = $4))`,
    capability: "return.down.1",
  },
  conditions: (query: ReturnQuery, _now: Date, accountId: string) => [
    ...atLocation(query.location_id, accountId),
    ...equal("sale_id", query.sale_id),
    ...equal("cash_session_id", query.cash_session_id),
    ...since("occurred_at", query.occurred_since),
    ...until("occurred_at", query.occurred_until),
  ],
});
