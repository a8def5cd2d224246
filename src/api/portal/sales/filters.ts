import { type Static, Type } from "typebox";
import { documentKinds } from "../../../business/sales/schema.ts";
import { bound, maxPesos, oneOf, page, text, uuid } from "../../../engine/resources/fields.ts";
import { equal, since, until } from "../../../engine/resources/filters.ts";
import type { Condition } from "../../../engine/resources/read-list.ts";
import { atLeast, atMost, numbered } from "../queries/conditions.ts";

const amount = Type.Optional(Type.Integer({ minimum: -maxPesos, maximum: maxPesos }));

export const saleFilters = {
  occurred_since: bound("Vendidas desde este instante, inclusive."),
  occurred_until: bound("Vendidas antes de este instante."),
  status: Type.Optional(text(40, { minLength: 1 })),
  payment_method: Type.Optional(text(40, { minLength: 1 })),
  document_kind: Type.Optional(oneOf(documentKinds)),
  /** The name of a register. */
  register: Type.Optional(text(120, { minLength: 1 })),
  customer_id: Type.Optional(uuid()),
  cash_session_id: Type.Optional(uuid()),
  /** The number of one of the sale's documents, with its prefix or without. */
  number: Type.Optional(text(40, { minLength: 1 })),
  total_min: amount,
  total_max: amount,
};

const closed = { additionalProperties: false };
export const SaleFilters = Type.Object(saleFilters, closed);
export type SaleFilters = Static<typeof SaleFilters>;
export const SaleListQuery = Type.Object({ ...page, ...saleFilters }, closed);

/** The sales of an account that pass the filters, as conditions on the table `sales`. */
export function saleConditions(accountId: string, query: SaleFilters): Condition[] {
  return [
    { sql: "account_id = ?", values: [accountId] },
    ...since("occurred_at", query.occurred_since),
    ...until("occurred_at", query.occurred_until),
    ...equal("status", query.status),
    ...equal("payment_method", query.payment_method),
    ...equal("document_kind", query.document_kind),
    ...equal("customer_id", query.customer_id),
    ...equal("cash_session_id", query.cash_session_id),
    ...atLeast("total", query.total_min),
    ...atMost("total", query.total_max),
    ...atRegister(accountId, query.register),
    ...withDocument(accountId, query.number),
  ];
}

/** A sale's register is that of its shift; a sale outside of one is its device's. */
function atRegister(accountId: string, name: string | undefined): Condition[] {
  if (name === undefined) return [];
  return [
    {
      sql: `(cash_session_id in (select id from cash_sessions where account_id = ? and body ->> 'register_name' = ?)
        or (cash_session_id is null and device_id in (select id from devices where account_id = ? and name = ?)))`,
      values: [accountId, name, accountId, name],
    },
  ];
}

function withDocument(accountId: string, number: string | undefined): Condition[] {
  if (number === undefined) return [];
  const named: Condition[] = [{ sql: "account_id = ?", values: [accountId] }, ...numbered(number)];
  const found = named.map(({ sql }) => sql).join(" and ");
  return [
    { sql: `id in (select sale_id from invoices where ${found})`, values: named.flatMap(({ values }) => values) },
  ];
}
