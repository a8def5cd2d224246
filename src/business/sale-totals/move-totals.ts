import { prepared, type Statement } from "../../db/sql.ts";
import type { Change } from "../../engine/resources/resource.ts";
import { addTotalsSql, columnsOf, type TotalsName, type TotalsTable, totalsTables } from "./tables.ts";

/** A key of an index has a limit; a register's text has none that fits. */
const maxKeyLength = 60;

/** What a record counts in its hour, and in its shift with its means of payment. */
export interface SoldRow {
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
  sold: SoldRow[];
  products: ProductRow[];
  taxes: TaxRow[];
}

/** What a record that does not count adds. */
export const nothing: Totals = { sold: [], products: [], taxes: [] };

/** By code points, as `left` counts in SQL. */
export function keyOf(text: string): string {
  return text.length <= maxKeyLength ? text : Array.from(text).slice(0, maxKeyLength).join("");
}

/**
 * Adds to the totals what each record counts now and takes off what it counted before. None when nothing of it changed, as
 * when only a document was accepted.
 */
export function moveTotals(accountId: string, changes: readonly Change<Totals>[]): Statement[] {
  const moved: Totals = { sold: [], products: [], taxes: [] };
  for (const { before, after } of changes) {
    if (before && JSON.stringify(before) === JSON.stringify(after)) continue;
    append(moved, after);
    if (before) append(moved, negated(before));
  }
  const rows: Record<TotalsName, readonly object[]> = {
    hours: moved.sold,
    shifts: moved.sold,
    products: moved.products,
    taxes: moved.taxes,
  };
  return statements.flatMap((statement) => statement(accountId, rows) ?? []);
}

function append(all: Totals, { sold, products, taxes }: Totals): void {
  all.sold.push(...sold);
  all.products.push(...products);
  all.taxes.push(...taxes);
}

/** The same record taken off: also how a return counts. */
export function negated({ sold, products, taxes }: Totals): Totals {
  return {
    sold: sold.map((row) => ({
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

/**
 * What adds a table's rows. The account's clock is held, so nobody else moves them. A single row, as most sales have, is
 * written without JSON and grouping, which makes the four statements of a sale a quarter cheaper (decision 30).
 */
const statements = Object.entries(totalsTables).map(([name, table]) => {
  const columns = columnsOf(table);
  const one = addTotalsSql(table, `values ($1, ${columns.map((_, i) => `$${i + 2}`).join(", ")})`);
  const many = addTotalsSql(table, sumsOfRows(table));
  return (accountId: string, all: Record<TotalsName, readonly object[]>): Statement | undefined => {
    const rows = all[name as TotalsName] as readonly Record<string, unknown>[];
    if (rows.length === 0) return undefined;
    if (rows.length === 1) return prepared(one, [accountId, ...columns.map((column) => rows[0]![column])]);
    return prepared(many, [accountId, JSON.stringify(rows)]);
  };
});

function sumsOfRows({ keys, sums }: TotalsTable): string {
  const keyNames = Object.keys(keys);
  const typed = Object.entries({ ...keys, ...sums }).map(([column, type]) => `${column} ${type}`);
  return `select $1, ${keyNames.join(", ")}, ${Object.keys(sums)
    .map((sum) => `sum(${sum})`)
    .join(", ")}
    from json_to_recordset($2::json) as r(${typed.join(", ")}) group by ${keyNames.join(", ")}`;
}
