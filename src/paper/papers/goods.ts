import type { SaleItem } from "../../business/sales/schema.ts";
import type { DocumentContent, DocumentLine } from "../../fiscal/content/document-content.ts";
import type { TaxTotal } from "../../taxes/tax.ts";
import { grouped, lineTaxText, money, rateText } from "../../taxes/words.ts";
import type { Block, PaperLine, Total } from "../paper.ts";

type Goods = Pick<DocumentContent, "lines" | "tax_breakdown" | "subtotal" | "tax" | "tip_amount" | "total">;

/** The lines of a document, its taxes by rate and its sums. */
export function goodsBlocks(goods: Goods): Block[] {
  const listed = listedTotals(goods.lines);
  const discount = listed.reduce((sum, total) => sum + total, 0) - (goods.total - goods.tip_amount);
  // Before the discount, as they were at the counter; where that does not add up, as the document has them.
  const isListed = discount >= 0 && listed.every((total, i) => total >= netTotal(goods.lines[i]!));
  const totals = isListed ? listed : goods.lines.map(netTotal);
  return [
    { kind: "lines", lines: goods.lines.map((line, i) => paperLine(line, totals[i]!)) },
    ...taxTable(goods.tax_breakdown),
    { kind: "totals", totals: sums(goods, isListed ? discount : 0) },
  ];
}

function paperLine(
  { description, quantity, unit, unit_price, tax_class, taxes }: DocumentLine,
  total: number,
): PaperLine {
  return {
    description,
    quantity: unit === undefined || unit === "und" ? grouped(quantity) : `${grouped(quantity)} ${unit}`,
    price: money(unit_price),
    tax: lineTaxText(tax_class, taxes),
    total: money(total),
  };
}

/** A line of a quote or a return, which say themselves what it costs. */
export function publishedLine({
  description,
  quantity,
  unit_price,
  tax_class,
  taxes,
  subtotal,
}: PublishedLine): PaperLine {
  return {
    description: description ?? "Producto",
    quantity: grouped(quantity),
    price: money(unit_price),
    tax: lineTaxText(tax_class, taxes ?? []),
    total: money(subtotal),
  };
}

type PublishedLine = Pick<SaleItem, "description" | "quantity" | "unit_price" | "tax_class" | "taxes" | "subtotal">;

/** Quantity times price, with taxes: what the customer saw on the shelf. */
function listedTotals(lines: readonly DocumentLine[]): number[] {
  return lines.map((line) => {
    const perUnit = line.taxes.filter(({ rate }) => rate === null).reduce((sum, { amount }) => sum + amount, 0);
    const listed = Math.round(line.quantity * line.unit_price) + perUnit;
    // Halves are rounded to even when a line is sold: a peso of difference is no discount.
    return Math.abs(listed - netTotal(line)) <= 1 ? netTotal(line) : listed;
  });
}

function netTotal({ extension, taxes }: DocumentLine): number {
  return taxes.reduce((sum, { amount }) => sum + amount, extension);
}

/** Each rate with its base. Exempt goods have a rate of 0; excluded ones have none. */
export function taxTable(breakdown: readonly TaxTotal[]): Block[] {
  if (breakdown.length === 0) return [];
  const rows = breakdown.map((entry) => [
    rateText(entry),
    entry.rate === null ? `${grouped(entry.base)} und` : money(entry.base),
    money(entry.amount),
  ]);
  return [{ kind: "table", title: "Impuestos por tarifa", head: ["Impuesto", "Base", "Valor"], rows }];
}

function sums({ subtotal, tax, tip_amount, total, tax_breakdown }: Goods, discount: number): Total[] {
  const taxesOf = (code: string) => tax_breakdown.filter((entry) => entry.code === code);
  const codes = [...new Set(tax_breakdown.map(({ code }) => code))];
  const taxRows = codes.map((code): Total => {
    const amount = taxesOf(code).reduce((sum, entry) => sum + entry.amount, 0);
    return { label: `Total ${rateText({ code, rate: null, per_unit: null })}`, value: money(amount) };
  });
  return [
    ...(discount > 0 ? [{ label: "Descuento (ya restado)", value: money(-discount) }] : []),
    { label: "Subtotal sin impuestos", value: money(subtotal) },
    ...(taxRows.length > 0 ? taxRows : [{ label: "Impuestos", value: money(tax) }]),
    ...(tip_amount > 0 ? [{ label: "Propina voluntaria", value: money(tip_amount) }] : []),
    { label: "TOTAL", value: money(total), isGrand: true },
  ];
}
