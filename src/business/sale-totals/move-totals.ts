import type { Statement } from "../../db/sql.ts";
import type { Change } from "../../engine/resources/resource.ts";
import { bogotaDate } from "../../taxes/bogota-time.ts";
import { addRows } from "./add-rows.ts";
import { forgetSpans } from "./product-spans.ts";
import { locationTables, type TotalsName, totalsTables } from "./tables.ts";
import { forgetTaxDays } from "./tax-days.ts";

/** An index key has a maximum size, and the texts of registers may be longer. */
const maxKeyLength = 60;

interface PlacedRow {
  /** The sede; absent or the account's id for the first. */
  location_id?: string | undefined;
}

/** What one sale or return adds to the totals of its hour, and to those of its shift for each means of payment. */
export interface SoldRow extends PlacedRow {
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
  /** The amount of cancelled and returned sales. The other sums have it subtracted already. */
  returned: number;
  passthrough: number;
  /** The number of payments with this means. */
  payments: number;
}

export interface ProductRow extends PlacedRow {
  day: string;
  product_id: string;
  lines: number;
  /** The digits as they stand in the body, so that PostgreSQL adds them up without rounding. */
  quantity: string;
  amount: number;
}

export interface TaxRow extends PlacedRow {
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

/** For a record that does not count, such as an open sale. */
export const nothing: Totals = { sold: [], products: [], taxes: [] };

/** Cut to the length of a key. Counts code points, like `left` in SQL. */
export function keyOf(text: string): string {
  return text.length <= maxKeyLength ? text : Array.from(text).slice(0, maxKeyLength).join("");
}

/**
 * Adds to the totals what each record counts now and takes off what it counted before. None when nothing of it changed, as
 * when only a document was accepted. Stretches of ended days lose what is kept of them if one of their days changes.
 */
export function moveTotals(accountId: string, changes: readonly Change<Totals>[]): Statement[] {
  const moved: Totals = { sold: [], products: [], taxes: [] };
  const endedDays = new Set<string>();
  const leftDays = new Set<string>();
  for (const { before, after, at } of changes) {
    if (before && JSON.stringify(before) === JSON.stringify(after)) continue;
    const today = bogotaDate(at);
    for (const { products } of [after, before ?? nothing])
      for (const { day } of products) if (day < today) endedDays.add(day);
    for (const { day } of before?.sold ?? []) if (after.sold[0]?.day !== day) leftDays.add(day);
    append(moved, after);
    if (before) append(moved, negated(before));
  }
  const { sold, products, taxes } = moved;
  const rows: Record<TotalsName, readonly object[]> = { hours: sold, shifts: sold, products, taxes };
  const isElsewhere = ({ location_id: place }: PlacedRow) => place !== undefined && place !== accountId;
  return [
    ...Object.entries<readonly PlacedRow[]>(rows).flatMap(([name, all]) => [
      ...addRows(accountId, totalsTables[name as TotalsName], all),
      ...addRows(accountId, locationTables[name as TotalsName], all.filter(isElsewhere)),
    ]),
    ...(endedDays.size > 0 ? [forgetSpans(accountId, [...endedDays])] : []),
    ...(leftDays.size > 0 ? forgetTaxDays(accountId, [...leftDays]) : []),
  ];
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
      passthrough: -row.passthrough,
      payments: -row.payments,
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
