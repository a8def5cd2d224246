import { paymentPartsSql } from "../../../business/sale-totals/definition.ts";
import { equal, since, until } from "../../../engine/resources/filters.ts";
import { atLocations } from "../../../engine/resources/placed.ts";
import type { Condition } from "../../../engine/resources/read-list.ts";
import type { Asked } from "../lists/list.ts";
import type { saleList } from "../lists/sales.ts";
import { atLeast, atMost, numbered } from "../tables/conditions.ts";
import type { OfSedes } from "../tables/sedes.ts";
import { inState } from "./sale-state.ts";

export type SaleFilters = Asked<ReturnType<typeof saleList>["filters"]> & OfSedes;

/** The sales of an account that pass the filters and count as they are, if at all: as conditions on the table `sales`. */
export function saleConditions(accountId: string, query: SaleFilters): Condition[] {
  if (query.movement === "returns") return none(accountId);
  return [
    { sql: "account_id = ?", values: [accountId] },
    // The index that holds what is added up has no `settled`.
    {
      sql: "not exists (select from sale_corrections k where k.account_id = sales.account_id and k.id = sales.id)",
      values: [],
    },
    ...happened(accountId, query),
    ...atLocations(query.location_ids ?? null, accountId),
    ...ofSale(accountId, query),
    // An index finds most; the parts of a payment decide.
    ...meant(query.payment_method, "(payment_method = ? or payments like ?)"),
  ];
}

/** Corrected sales that pass as they were counted, as conditions on the table `sale_corrections`. */
export function countedConditions(accountId: string, query: SaleFilters): Condition[] {
  if (query.movement === "returns") return none(accountId);
  return [...entryConditions(accountId, query, placeInBody), { sql: "id = sale_id", values: [] }];
}

/** What takes back the sales that pass, as conditions on `reversals`. */
export function reversalConditions(accountId: string, query: SaleFilters): Condition[] {
  if (query.movement === "sales") return none(accountId);
  return entryConditions(accountId, query, "location_id");
}

/** A corrected sale as its day counted it has no column. */
const placeInBody = "(body ->> 'location_id')::uuid";

/** What stands beside a sale has a day, a register and means of its own. */
function entryConditions(accountId: string, query: SaleFilters, place: string): Condition[] {
  const sale = ofSale(accountId, query);
  const ofWhich = sale.map(({ sql }) => ` and ${sql}`).join("");
  return [
    { sql: "account_id = ?", values: [accountId] },
    ...happened(accountId, query),
    ...atLocations(query.location_ids ?? null, accountId, place),
    ...(sale.length === 0
      ? []
      : [
          {
            sql: `sale_id in (select id from sales where account_id = ?${ofWhich})`,
            values: [accountId, ...sale.flatMap(({ values }) => values)],
          },
        ]),
    ...meant(query.payment_method, "(body ->> 'payment_method' = ? or payments like ?)"),
  ];
}

/** With the account, as all conditions. */
function none(accountId: string): Condition[] {
  return [
    { sql: "account_id = ?", values: [accountId] },
    { sql: "false", values: [] },
  ];
}

/** When and where it happened. */
function happened(accountId: string, query: SaleFilters): Condition[] {
  return [
    ...since("occurred_at", query.occurred_since),
    ...until("occurred_at", query.occurred_until),
    ...equal("cash_session_id", query.cash_session_id),
    ...atRegister(accountId, query.register),
  ];
}

/** What sale it is about. */
function ofSale(accountId: string, query: SaleFilters): Condition[] {
  return [
    ...equal("status", query.status),
    ...inState(accountId, query.state),
    ...equal("document_kind", query.document_kind),
    ...equal("customer_id", query.customer_id),
    ...atLeast("total", query.total_min),
    ...atMost("total", query.total_max),
    ...withDocument(accountId, query.number),
  ];
}

function meant(method: string | undefined, likely: string): Condition[] {
  if (method === undefined) return [];
  const inText = `%${JSON.stringify(method).replaceAll(/[\\%_]/g, "\\$&")}%`;
  return [
    { sql: likely, values: [method, inText] },
    {
      sql: `exists (select from ${paymentPartsSql("body", "payments")} m where m.payment_method = ?)`,
      values: [method],
    },
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
