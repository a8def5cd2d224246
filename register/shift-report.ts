import type { TaxTotal } from "../src/taxes/tax.ts";
import type { KeptSale } from "./sale.ts";
import type { SaleDocument } from "./sale-document.ts";
import { type ReturnFigure, returnsOf, type Shift } from "./shift.ts";

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
  sold: Figure;
  taxes: TaxTotal[];
  /** Of tickets and of lines. */
  discount: number;
  tip: number;
  cancelled: Figure;
  /** What went back, by means. */
  returns: ReturnFigure[];
  /** In the order of their first sale; null where nobody had signed in. */
  cashiers: (Figure & { name: string | null })[];
  documents: DocumentRange[];
  /** Sales whose document has not come down, or has no verdict yet. */
  unconfirmed: number;
}

/** Cancelled sales count only as such. `documents` are those that have come down for these sales. */
export function shiftReport(
  shift: Shift,
  sales: readonly KeptSale[],
  documents: readonly SaleDocument[],
  { hasDocuments }: { hasDocuments: boolean },
): ShiftReport {
  const made = sales.filter(({ data }) => data.status === "completed");
  const cancelled = sales.filter(({ data }) => data.status === "cancelled");
  const inOrder = made.toSorted((a, b) => a.number - b.number);
  const names = [...new Set(inOrder.map(({ cashier_name }) => cashier_name))];
  return {
    sold: figureOf(made),
    taxes: taxesOf(made),
    discount: sum(made, ({ data, line_discount = 0 }) => data.discount + line_discount),
    tip: sum(made, ({ data }) => data.tip_amount),
    cancelled: figureOf(cancelled),
    returns: returnsOf(shift),
    cashiers: names.map((name) => ({ name, ...figureOf(made.filter((one) => one.cashier_name === name)) })),
    documents: rangesOf(documents),
    unconfirmed: hasDocuments ? made.filter((sale) => !isConfirmed(sale, documents)).length : 0,
  };
}

function figureOf(sales: readonly KeptSale[]): Figure {
  return { count: sales.length, total: sum(sales, ({ data }) => data.total) };
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
