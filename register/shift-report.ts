import { type PaymentPart, salesIn } from "../src/business/sale-totals/definition.ts";
import type { TaxTotal } from "../src/taxes/tax.ts";
import type { KeptSale } from "./sale.ts";
import type { SaleDocument } from "./sale-document.ts";
import { type ReturnFigure, returnsOf, type Shift } from "./shift.ts";
import { type ShiftSums, shiftSums } from "./shift-sums.ts";
import { addWorth, worthOf } from "./worth.ts";

interface Figure {
  count: number;
  total: number;
}

/** The documents of one kind and prefix. */
export interface DocumentRange {
  document_type: string;
  prefix: string;
  first: number;
  last: number;
  count: number;
}

/** What an X or a Z says besides the drawer: the sums of the shift's sales, as this register knows them. */
export interface ShiftReport {
  /** In the words of the portal's Z. */
  sums: ShiftSums;
  /** How what was sold was paid, as in the portal's Z: what was cancelled since counts too. */
  payments: (PaymentPart & { count: number })[];
  taxes: TaxTotal[];
  /** What the discounts of lines took off, which only this register knows: the service has their lower prices. */
  line_discount: number;
  /** The money of the cancelled sales. */
  cancelled: Figure;
  /** What went back, by means. */
  returns: ReturnFigure[];
  /** Gross sales, in the order of their first one; null where nobody had signed in. */
  cashiers: (Figure & { name: string | null })[];
  documents: DocumentRange[];
  /** Sales whose document has not come down, or has no verdict yet. */
  unconfirmed: number;
}

/** `documents` are those that have come down for these sales. */
export function shiftReport(
  shift: Shift,
  sales: readonly KeptSale[],
  documents: readonly SaleDocument[],
  { hasDocuments }: { hasDocuments: boolean },
): ShiftReport {
  const made = sales.filter(({ data }) => data.status === "completed");
  const cancelled = sales.filter(({ data }) => data.status === "cancelled");
  const byCashier = Map.groupBy(
    sales.toSorted((a, b) => a.number - b.number),
    ({ cashier_name }) => cashier_name,
  );
  return {
    sums: shiftSums(shift, sales),
    payments: paymentsOf(sales),
    taxes: taxesOf(sales),
    line_discount: sum(made, ({ line_discount = 0 }) => line_discount),
    cancelled: { count: cancelled.length, total: sum(cancelled, ({ data }) => data.total) },
    returns: returnsOf(shift),
    cashiers: [...byCashier].map(([name, own]) => ({ name, ...grossOf(own) })),
    documents: rangesOf(documents),
    unconfirmed: hasDocuments ? made.filter((sale) => !isConfirmed(sale, documents)).length : 0,
  };
}

/** How many sales, and what of their money is sales. */
export function grossOf(sales: readonly KeptSale[]): Figure {
  return { count: sales.length, total: salesIn(addWorth(...sales.map(worthOf))) };
}

function paymentsOf(sales: readonly KeptSale[]): ShiftReport["payments"] {
  const byMeans = Map.groupBy(
    sales.flatMap(({ charge }) => charge.payments),
    ({ payment_method }) => payment_method,
  );
  return [...byMeans].map(([payment_method, all]) => ({
    ...{ payment_method, count: all.length },
    amount: sum(all, ({ amount }) => amount),
  }));
}

function taxesOf(sales: readonly KeptSale[]): TaxTotal[] {
  const sums = new Map<string, TaxTotal>();
  for (const tax of sales.flatMap(({ data }) => data.tax_breakdown)) {
    const key = `${tax.code} ${tax.rate} ${tax.per_unit}`;
    const before = sums.get(key);
    sums.set(
      key,
      before ? { ...before, base: before.base + tax.base, amount: before.amount + tax.amount } : { ...tax },
    );
  }
  return [...sums.values()].sort((a, b) =>
    a.code < b.code ? -1 : a.code > b.code ? 1 : (b.rate ?? 0) - (a.rate ?? 0),
  );
}

function rangesOf(documents: readonly SaleDocument[]): DocumentRange[] {
  const ranges = new Map<string, DocumentRange>();
  for (const { document_type, prefix, number } of documents) {
    if (!number) continue;
    const key = `${document_type} ${prefix ?? ""}`;
    const before = ranges.get(key) ?? { document_type, prefix: prefix ?? "", first: number, last: number, count: 0 };
    const [first, last] = [Math.min(before.first, number), Math.max(before.last, number)];
    ranges.set(key, { ...before, first, last, count: before.count + 1 });
  }
  return [...ranges.values()].sort((a, b) => (a.document_type + a.prefix < b.document_type + b.prefix ? -1 : 1));
}

function isConfirmed({ id }: KeptSale, documents: readonly SaleDocument[]): boolean {
  return documents.some(({ sale_id, status }) => sale_id === id && status !== "pending");
}

function sum<T>(all: readonly T[], of: (one: T) => number): number {
  return all.reduce((total, one) => total + of(one), 0);
}
