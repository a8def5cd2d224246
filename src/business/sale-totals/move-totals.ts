import { prepared, type Statement } from "../../db/sql.ts";
import type { Change } from "../../engine/resources/resource.ts";

/** Stands for "none" in the keys of the totals. */
export const nilUuid = "00000000-0000-0000-0000-000000000000";
/** A key of an index has a limit; a register's text has none that fits. */
const maxKeyLength = 60;

export interface HourRow {
  day: string;
  hour: number;
  device_id: string;
  cash_session_id: string;
  payment_method: string;
  tickets: number;
  total: number;
  tax: number;
  discount: number;
  tip: number;
  /** Money given back; the other sums are what is left after it. */
  returned: number;
}

export interface ProductRow {
  day: string;
  product_id: string;
  lines: number;
  /** The text of the number as it stands in the body: the database adds it up without rounding. */
  quantity: string;
  amount: number;
}

export interface TaxRow {
  day: string;
  code: string;
  rate: string;
  base: number;
  amount: number;
}

export interface Totals {
  hours: HourRow[];
  products: ProductRow[];
  taxes: TaxRow[];
}

/** What a record that does not count adds. */
export const nothing: Totals = { hours: [], products: [], taxes: [] };

/** By code points, as `left` counts in SQL. */
export function keyOf(text: string): string {
  return text.length <= maxKeyLength ? text : Array.from(text).slice(0, maxKeyLength).join("");
}

/**
 * Adds to the totals what each record counts now and takes off what it counted before, in one statement. None when
 * nothing of it changed, as when only a document was accepted.
 */
export function moveTotals(accountId: string, changes: readonly Change<Totals>[]): Statement[] {
  const moved: Totals = { hours: [], products: [], taxes: [] };
  for (const { before, after } of changes) {
    if (before && JSON.stringify(before) === JSON.stringify(after)) continue;
    append(moved, after);
    if (before) append(moved, negated(before));
  }
  if (moved.hours.length === 0) return [];
  const values = [moved.hours, moved.products, moved.taxes].map((rows) => JSON.stringify(rows));
  return [prepared(moveSql, [accountId, ...values])];
}

function append(all: Totals, { hours, products, taxes }: Totals): void {
  all.hours.push(...hours);
  all.products.push(...products);
  all.taxes.push(...taxes);
}

/** The same record taken off: also how a return counts. */
export function negated({ hours, products, taxes }: Totals): Totals {
  return {
    hours: hours.map((row) => ({
      ...row,
      tickets: -row.tickets,
      total: -row.total,
      tax: -row.tax,
      discount: -row.discount,
      tip: -row.tip,
      returned: -row.returned,
    })),
    products: products.map((row) => ({
      ...row,
      lines: -row.lines,
      quantity: row.quantity.startsWith("-") ? row.quantity.slice(1) : `-${row.quantity}`,
      amount: -row.amount,
    })),
    taxes: taxes.map((row) => ({ ...row, base: -row.base, amount: -row.amount })),
  };
}

/** $1 account, $2 hours, $3 products, $4 taxes. The account's clock is held, so nobody else moves these rows. */
const moveSql = `
  with hours as (
    insert into sale_hours as t (account_id, day, hour, device_id, cash_session_id, payment_method, tickets, total, tax, discount, tip, returned)
    select $1, day, hour, device_id, cash_session_id, payment_method, sum(tickets), sum(total), sum(tax), sum(discount), sum(tip), sum(returned)
    from json_to_recordset($2::json) as r(day date, hour smallint, device_id uuid, cash_session_id uuid, payment_method text,
      tickets bigint, total numeric, tax numeric, discount numeric, tip numeric, returned numeric)
    group by 2, 3, 4, 5, 6
    on conflict (account_id, day, hour, device_id, cash_session_id, payment_method) do update set
      tickets = t.tickets + excluded.tickets, total = t.total + excluded.total, tax = t.tax + excluded.tax,
      discount = t.discount + excluded.discount, tip = t.tip + excluded.tip, returned = t.returned + excluded.returned
  ), products as (
    insert into sale_products as t (account_id, day, product_id, lines, quantity, amount)
    select $1, day, product_id, sum(lines), sum(quantity), sum(amount)
    from json_to_recordset($3::json) as r(day date, product_id uuid, lines bigint, quantity numeric, amount numeric)
    group by 2, 3
    on conflict (account_id, day, product_id) do update set
      lines = t.lines + excluded.lines, quantity = t.quantity + excluded.quantity, amount = t.amount + excluded.amount
  )
  insert into sale_taxes as t (account_id, day, code, rate, base, amount)
  select $1, day, code, rate, sum(base), sum(amount)
  from json_to_recordset($4::json) as r(day date, code text, rate text, base numeric, amount numeric)
  group by 2, 3, 4
  on conflict (account_id, day, code, rate) do update set
    base = t.base + excluded.base, amount = t.amount + excluded.amount`;
