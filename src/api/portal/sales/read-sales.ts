import type { InvoiceSummary } from "../../../business/invoices/schema.ts";
import {
  isSoldSql,
  passthroughSql,
  paymentParts,
  paymentPartsSql,
  reversals,
} from "../../../business/sale-totals/definition.ts";
import type { Queryable } from "../../../db/pool.ts";
import { prepared, sql } from "../../../db/sql.ts";
import { allOf } from "../../../engine/resources/filters.ts";
import { atLocations } from "../../../engine/resources/placed.ts";
import type { Condition } from "../../../engine/resources/read-list.ts";
import { day } from "../../../lib/clock.ts";
import type { Position } from "../../../lib/cursor.ts";
import type { SaleRow } from "../lists/sales.ts";
import { usualRows } from "../tables/paging.ts";
import { countedConditions, reversalConditions, type SaleFilters, saleConditions } from "./conditions.ts";
import { returnedStates, saleStateSql } from "./sale-state.ts";

interface Row extends Omit<SaleRow, "customer" | "documents" | "parts"> {
  device_id: string | null;
  payments: string | null;
  customer_id: string | null;
  customer_name: string | null;
  documents: string;
}

const order = "order by occurred_at desc, id desc";

/** Time zones are no fault of a clock: what is further ahead is. */
const mostAheadMs = day;

/**
 * Newest first by the register's clock. What a wrong clock dates into the future comes last: it would stand before the sales of every day until
 * its date comes.
 */
export async function readSales(
  db: Queryable,
  accountId: string,
  filters: SaleFilters,
  limit: number,
  { after, now }: { after: Position | undefined; now: Date },
): Promise<SaleRow[]> {
  const bound = new Date(now.getTime() + mostAheadMs);
  const [past, ahead]: [Condition, Condition] = [
    { sql: "occurred_at <= ?", values: [bound] },
    { sql: "occurred_at > ?", values: [bound] },
  ];
  const page = (wanted: Condition, most: number, from: Position | undefined) =>
    readPage(db, accountId, filters, most, [wanted, ...(from ? [olderThan(from)] : [])]);
  if (after && new Date(after.createdAt) > bound) return page(ahead, limit, after);
  const found = await page(past, limit, after);
  if (found.length === limit || !(await isAnyAfter(db, accountId, bound))) return found;
  return [...found, ...(await page(ahead, limit - found.length, undefined))];
}

/** Hardly ever: asking first costs less than another page, which is planned anew for its filters. */
async function isAnyAfter(db: Queryable, accountId: string, bound: Date): Promise<boolean> {
  const { rows } = await db.query<{ is_any: boolean }>(prepared(isAnyAfterText, [accountId, bound]));
  return rows[0]?.is_any ?? false;
}

const isAnyAfterText = `select ${["sales", "sale_corrections", reversals]
  .map((source) => `exists (select from ${source} b where b.account_id = $1 and b.occurred_at > $2)`)
  .join(" or ")} as is_any`;

const olderThan = ({ createdAt, id }: Position): Condition => ({
  sql: "(occurred_at, id) < (?::timestamptz, ?::uuid)",
  values: [createdAt, id],
});

/** The page that opens is planned once; how many sales pass a filter differs too much for a shared plan. */
function isUsual({ location_ids: _, ...filters }: SaleFilters, limit: number): boolean {
  return limit === usualRows + 1 && Object.values(filters).every((value) => value === undefined);
}

/** The ids are found in the indexes alone; only the rows of the page are read. */
async function readPage(
  db: Queryable,
  accountId: string,
  filters: SaleFilters,
  limit: number,
  before: readonly Condition[],
): Promise<SaleRow[]> {
  const values: unknown[] = [accountId];
  const sales = allOf([...saleConditions(accountId, filters), ...before], values);
  const counted = allOf([...countedConditions(accountId, filters), ...before], values);
  const back = allOf([...reversalConditions(accountId, filters), ...before], values);
  const means = filters.payment_method;
  const paid =
    means === undefined
      ? "null::numeric"
      : `(select sum(p.amount) from ${paymentPartsSql("m.body", "m.payments")} p where p.payment_method = $${values.push(means)})`;
  const text = `
      with found as (
        (select 'sale' as kind, id, id as sale_id, occurred_at, device_id, cash_session_id from sales where ${sales} ${order} limit ${limit})
        union all
        (select 'sale', id, sale_id, occurred_at, device_id, cash_session_id from sale_corrections where ${counted} ${order} limit ${limit})
        union all
        (select kind, id, sale_id, occurred_at, device_id, cash_session_id from ${reversals} b where ${back} ${order} limit ${limit})
        ${order} limit ${limit})
      select f.id, f.kind, f.sale_id, f.occurred_at, s.body ->> 'status' as status, ${saleStateSql("s", "$1")} as state,
        m.body ->> 'payment_method' as payment_method, m.payments,
        s.document_kind, g.sign * (m.body ->> 'total')::numeric as total, g.sign * (m.body ->> 'tax')::numeric as tax,
        g.sign * (m.body ->> 'tip_amount')::numeric as tip_amount, g.sign * (m.body ->> 'discount')::numeric as discount,
        g.sign * ((m.body ->> 'total')::numeric - (m.body ->> 'tip_amount')::numeric - ${passthroughSql("m.lines")}) as net,
        g.sign * ${paid} as paid, f.kind <> 'sale' or k.id is not null or ${isSoldSql("s")} as counts,
        f.kind = 'sale' and exists (
          select from sale_corrections o where o.account_id = $1 and o.sale_id = f.id and o.id <> f.id) as is_corrected, s.customer_id,
        nullif(concat_ws(' ', c.body ->> 'name', c.body ->> 'last_name'), '') as customer_name,
        coalesce(g.body ->> 'location_id', $1::text) as location_id, t.body ->> 'register_name' as register, f.device_id, t.body ->> 'opened_by' as cashier,
        s.body -> 'invoices' as documents, json_array_length(m.lines) as lines
      from found f
      join sales s on s.account_id = $1 and s.id = f.sale_id
      left join returns r on f.kind = 'return' and r.account_id = $1 and r.id = f.id
      left join sale_cancellations x on f.kind = 'cancellation' and x.account_id = $1 and x.sale_id = f.sale_id
      left join sale_corrections k on f.kind in ('sale', 'correction') and k.account_id = $1 and k.id = f.id
      cross join lateral (select case f.kind when 'sale' then 1 else -1 end as sign, coalesce(r.body, x.body, k.body, s.body) as body) g
      cross join lateral (select g.body, coalesce(g.body -> 'lines', g.body -> 'items') as lines,
        case f.kind when 'return' then r.payments when 'cancellation' then x.payments
          else case when k.id is null then s.payments else k.payments end end as payments) m
      left join customers c on c.account_id = $1 and c.id = s.customer_id
      left join cash_sessions t on t.account_id = $1 and t.id = f.cash_session_id
      order by f.occurred_at desc, f.id desc`;
  const { rows } = await db.query<Row>(isUsual(filters, limit) ? prepared(text, values) : { text, values });
  const names = await readDeviceNames(db, accountId, rows);
  return rows.map(({ customer_id, customer_name, device_id, documents, payments, ...row }) => ({
    ...row,
    register: row.register ?? names.get(device_id) ?? null,
    parts: partsOf(row, payments),
    customer: customer_id === null ? null : { id: customer_id, name: customer_name },
    documents: JSON.parse(documents) as InvoiceSummary[],
  }));
}

/** Of sales outside of a shift, which are few. Registers are a directory: their names are read apart. */
async function readDeviceNames(
  db: Queryable,
  accountId: string,
  rows: readonly Row[],
): Promise<Map<string | null, string | null>> {
  const ids = new Set(rows.flatMap(({ register, device_id }) => (register === null && device_id ? [device_id] : [])));
  if (ids.size === 0) return new Map();
  const devices = await db.query<{ id: string; name: string | null }>(
    sql`select id, name from devices where account_id = ${accountId} and id = any(${[...ids]}::uuid[])`,
  );
  return new Map(devices.rows.map(({ id, name }) => [id, name]));
}

function partsOf({ kind, total, payment_method }: Pick<Row, "kind" | "total" | "payment_method">, told: string | null) {
  const sign = kind === "sale" ? 1 : -1;
  const parts = paymentParts({ total: sign * total, payment_method }, told);
  return parts.map((part) => ({ payment_method: part.payment_method, amount: sign * part.amount }));
}

/** What the list can be filtered by: the words that this shop's registers use, and what became of a sale. */
export interface SaleChoices {
  registers: string[];
  payment_methods: string[];
  states: string[];
}

/** Of the newest sales and shifts: a shop's words rarely change. */
const newestSales = 2_000;
const newestShifts = 500;

export async function readSaleChoices(
  db: Queryable,
  accountId: string,
  locationIds: readonly string[] | null = null,
): Promise<SaleChoices> {
  const devices = await db.query<{ name: string }>(sql`
    select name from devices where account_id = ${accountId}
      and (${locationIds}::uuid[] is null or coalesce(location_id, account_id) = any(${locationIds}::uuid[]))`);
  const values: unknown[] = [accountId, devices.rows.map(({ name }) => name)];
  const within = allOf(atLocations(locationIds, accountId), values);
  const here = within === "" ? "" : `and ${within}`;
  const { rows } = await db.query<SaleChoices & { has_returns: boolean }>({
    text: `
      with newest as materialized (
        select payment_method, payments, status from sales where account_id = $1 ${here} order by occurred_at desc, id desc limit ${newestSales}),
      shifts as materialized (
        select body ->> 'register_name' as name from (
          select body from cash_sessions where account_id = $1 ${here} order by created_at desc, id desc limit ${newestShifts}) t)
      select
        array(select name from shifts where name is not null union select unnest($2::text[]) order by 1) as registers,
        array(select payment_method from newest where payment_method is not null
          union select p ->> 'payment_method' from newest cross join lateral json_array_elements(coalesce(payments, '[]')::json) p
          where p ->> 'payment_method' <> '' order by 1) as payment_methods,
        array(select distinct status from newest order by 1) as states,
        exists(select from returns where account_id = $1 ${here}) as has_returns`,
    values,
  });
  const { has_returns, states, ...choices } = rows[0]!;
  return { ...choices, states: has_returns ? [...states, ...returnedStates] : states };
}
