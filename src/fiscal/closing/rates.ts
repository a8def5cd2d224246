import { setImmediate } from "node:timers/promises";
import type { ReturnLine } from "../../business/returns/schema.ts";
import type { Sale, SaleItem } from "../../business/sales/schema.ts";
import { must } from "../../lib/must.ts";
import type { TaxTotal } from "../../taxes/tax.ts";
import type { DocumentLine } from "../content/document-content.ts";
import { lineExtensions } from "../content/line-extensions.ts";
import { extensionOf } from "../returns/sold-lines.ts";

/**
 * A sale, a return, a cancellation (whose lines are those of its sale or of a return), or the content of a document. A correction has its
 * rows at hand: what the sale was and what it is may not follow one from the other.
 */
type Rated = Pick<Sale, "total" | "tax" | "tip_amount" | "tax_breakdown"> & {
  items?: readonly SaleItem[];
  lines?: readonly Line[];
  rates?: readonly TaxTotal[];
};

/** What bears no tax has a row too, with a code of its own; so has a tax that came without its detail. */
const [excluded, untaxed, unnamed] = ["excluded", "untaxed", ""];

/**
 * The rows by rate of a record. What the taxed lines and third parties leave of its total bears no tax; of that, excluded goods
 * have what their lines are worth after the sale's discount.
 */
export function ratesOf({ total, tax, tip_amount, tax_breakdown, items, lines, rates }: Rated): TaxTotal[] {
  if (rates) return [...rates];
  const taxes = tax_breakdown ?? [];
  const net = total - tax - tip_amount;
  const all = items ?? lines ?? [];
  const extensions = all.every(isSold) ? lineExtensions(all, net) : all.map(netOf);
  const bare = { excluded: 0, passthrough: 0 };
  for (const [i, { tax_class, taxes }] of all.entries())
    if ((tax_class === "excluded" || tax_class === "passthrough") && !taxes?.some(({ rate }) => rate !== null))
      bare[tax_class] += must(extensions[i], "There is one extension for each line");
  const rest = taxes.reduce((left, { rate, base }) => (rate === null ? left : left - base), net - bare.passthrough);
  const row = (code: string, base: number, amount = 0): TaxTotal => ({
    code,
    rate: null,
    per_unit: null,
    base,
    amount,
  });
  if (taxes.length === 0 && tax !== 0) return [row(unnamed!, rest, tax)];
  return [...taxes, row(excluded!, bare.excluded), row(untaxed!, rest - bare.excluded)];
}

type Line = SaleItem | ReturnLine | DocumentLine;

/** A sale's line does not say what its sale's discount left of it. */
function isSold(line: Line): line is SaleItem {
  return !("extension" in line || "total" in line);
}

function netOf(line: Line): number {
  if ("extension" in line) return line.extension;
  return "total" in line ? extensionOf(line) : line.subtotal;
}

/** So many records are read before other requests have their turn. */
const recordsAtOnce = 200;

/** What the records add up to. Those that take back have a sign of -1. */
export async function addRates(records: readonly { body: string; sign?: number }[]): Promise<TaxTotal[]> {
  const rows: TaxTotal[] = [];
  for (const [i, { body, sign = 1 }] of records.entries()) {
    if (i % recordsAtOnce === recordsAtOnce - 1) await setImmediate();
    for (const row of ratesOf(JSON.parse(body) as Rated))
      rows.push({ ...row, base: sign * row.base, amount: sign * row.amount });
  }
  return sumRates(rows);
}

/** One row for each tax and rate, taxes first, without those of which nothing is left. */
export function sumRates(rows: readonly TaxTotal[]): TaxTotal[] {
  const groups = Map.groupBy(rows, ({ code, rate, per_unit }) => `${code} ${rate} ${per_unit}`);
  return [...groups.values()]
    .map((same): TaxTotal => {
      const { code, rate, per_unit } = same[0]!;
      const sum = (name: "base" | "amount") => same.reduce((all, one) => all + one[name], 0);
      return { code, rate, per_unit, base: sum("base"), amount: sum("amount") };
    })
    .filter(({ base, amount }) => base !== 0 || amount !== 0)
    .sort((a, b) => compare(placeOf(a), placeOf(b)));
}

/** By code, the highest rate first; what bears no tax comes last. */
function placeOf({ code, rate, per_unit }: TaxTotal): (string | number)[] {
  return [[excluded, untaxed, unnamed].indexOf(code), code, -(rate ?? -1), per_unit ?? 0];
}

function compare(a: readonly (string | number)[], b: readonly (string | number)[]): number {
  const at = a.findIndex((value, i) => value !== b[i]);
  if (at < 0) return 0;
  return a[at]! < b[at]! ? -1 : 1;
}
