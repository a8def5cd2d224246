import { toScaled } from "../../taxes/exact.ts";
import { type CheckedLine, type CheckedTax, checkLine, checkTaxes, taxedValue } from "./check-line.ts";
import { type Finding, finding, isRecord, pesosIn, type Report, sumKnown } from "./finding.ts";

/**
 * Finds what does not add up in an uploaded sale. It checks the sale against itself and against the rules that all
 * registers share. It does not recompute taxes: which ones applied was settled at the counter. Malformed content of any
 * kind is a finding, never an exception.
 */
export function checkSale(sale: unknown): Finding[] {
  const findings: Finding[] = [];
  check((...found) => {
    if (findings.length < mostFindings) findings.push(finding(...found));
  }, sale);
  return findings;
}

/** Enough to see what is wrong; a broken register must not fill the database with findings about one sale. */
const mostFindings = 100;

function check(report: Report, sale: unknown): void {
  if (!isRecord(sale)) {
    report("", "object", sale, "La venta no se puede leer.");
    return;
  }
  const lines = checkLines(report, sale.items);
  const breakdown = checkTaxes(report, sale.tax_breakdown ?? null, "tax_breakdown");
  const subtotal = pesosIn(report, sale, "subtotal");
  const discount = pesosIn(report, sale, "discount");
  const tax = pesosIn(report, sale, "tax");
  const tip = pesosIn(report, sale, "tip_amount");
  const total = pesosIn(report, sale, "total");

  mustEqual(report, "subtotal", lines && sumKnown(lines.map((line) => line.subtotal)), subtotal, texts.subtotal);
  if (subtotal !== null && discount !== null && tip !== null)
    mustEqual(report, "total", subtotal - discount + tip, total, texts.total);
  if (subtotal !== null && discount !== null && discount > subtotal)
    report("discount", subtotal, discount, "El descuento supera el subtotal.");
  if (breakdown !== null) mustEqual(report, "tax", totalOf(breakdown), tax, texts.taxOfBreakdown);
  if (total !== null && tip !== null && tax !== null && tax > total - tip)
    report("tax", total - tip, tax, "El impuesto supera lo vendido.");

  if (lines === null) return;
  if (subtotal !== null && discount !== null) checkPercent(report, sale.discount_percent, subtotal, discount, lines);
  if (discount !== null && discount >= 0n) checkDiscountInLines(report, lines, discount);
  const lineTaxes = allTaxes(lines);
  if (lineTaxes === null) return;
  mustEqual(report, "tax", totalOf(lineTaxes), tax, texts.taxOfLines);
  if (breakdown !== null) checkBreakdown(report, breakdown, lineTaxes);
}

const texts = {
  subtotal: "El subtotal no es la suma de las líneas.",
  total: "El total no es subtotal menos descuento más propina.",
  taxOfBreakdown: "El impuesto no es la suma del desglose.",
  taxOfLines: "El impuesto no es la suma de los impuestos de las líneas.",
};

function mustEqual(report: Report, field: string, expected: bigint | null, got: bigint | null, message: string): void {
  if (expected !== null && got !== null && expected !== got) report(field, expected, got, message);
}

function checkLines(report: Report, items: unknown): CheckedLine[] | null {
  if (!Array.isArray(items)) {
    report("items", "array", items, "Las líneas no se pueden leer.");
    return null;
  }
  const lines: CheckedLine[] = [];
  for (let i = 0; i < items.length; i++) lines.push(checkLine(report, items[i], `items[${i}]`));
  return lines;
}

/** Enough for every digit of a double: the register may have computed its percentage by division. */
const percentDecimals = 25;
const hundred = 100n * 10n ** 25n;

/**
 * Registers show a percentage with two decimals, of the discountable lines or of the whole subtotal: the discount in
 * pesos must match one of the two.
 */
function checkPercent(
  report: Report,
  percent: unknown,
  subtotal: bigint,
  discount: bigint,
  lines: CheckedLine[],
): void {
  if (percent === undefined || percent === null || percent === 0) return;
  const scaled = typeof percent === "number" ? toScaled(percent, percentDecimals) : "unreadable";
  if (typeof scaled === "string" || scaled > hundred) {
    report("discount_percent", "0-100", percent, "No es un porcentaje entre 0 y 100.");
    return;
  }
  const eligible = sumKnown(lines.map((line) => (line.taxClass === "passthrough" ? 0n : line.gross)));
  if (eligible === null || eligible < 0n || subtotal < 0n) return;
  const slack = hundred / 20_000n;
  const least = scaled > slack ? (eligible * (scaled - slack)) / hundred : 0n;
  const most = (subtotal * (scaled + slack)) / hundred + 1n;
  if (discount < least || discount > most)
    report("discount", (eligible * scaled) / hundred, discount, "El descuento no corresponde a su porcentaje.");
}

/**
 * Base plus percentage taxes is the price of the line after its share of the discount. The share is not published, so
 * for a single line it only has bounds; where every discountable line is taxed, the shares must sum up to the discount.
 */
function checkDiscountInLines(report: Report, lines: CheckedLine[], discount: bigint): void {
  let shared = 0n;
  let isComplete = true;
  for (const line of lines) {
    const value = taxedValue(line);
    if (line.gross === null || value === null) {
      isComplete &&= line.gross === 0n || line.taxClass === "passthrough";
      continue;
    }
    const share = line.gross - value;
    shared += share;
    if (share < 0n || share > discount)
      report(`${line.at}.taxes`, line.gross, value, "La base más los impuestos no dan el valor de la línea.");
  }
  if (shared > discount || (isComplete && shared !== discount))
    report("discount", shared, discount, "Las bases de las líneas no reflejan el descuento de la venta.");
}

/** Null when any line lacks its taxes: the others alone say nothing about the sale. */
function allTaxes(lines: CheckedLine[]): CheckedTax[] | null {
  if (lines.some((line) => line.taxes === null)) return null;
  return lines.flatMap((line) => line.taxes ?? []);
}

function totalOf(taxes: CheckedTax[]): bigint | null {
  return sumKnown(taxes.map((tax) => tax.amount));
}

function checkBreakdown(report: Report, breakdown: CheckedTax[], lineTaxes: CheckedTax[]): void {
  const ofLines = sumsByKey(lineTaxes);
  const ofSale = sumsByKey(breakdown);
  for (const key of new Set([...ofLines.keys(), ...ofSale.keys()]))
    for (const part of ["base", "amount"] as const) {
      const expected = ofLines.get(key)?.[part];
      const got = ofSale.get(key)?.[part];
      if (expected !== got)
        mustEqual(
          report,
          `tax_breakdown.${part}`,
          expected === undefined ? 0n : expected,
          got === undefined ? 0n : got,
          `El desglose del impuesto ${key} no es el de las líneas.`,
        );
    }
}

/** Null where any part is unknown. */
function sumsByKey(taxes: readonly CheckedTax[]): Map<string, Pick<CheckedTax, "base" | "amount">> {
  const sums = new Map<string, Pick<CheckedTax, "base" | "amount">>();
  for (const { key, base, amount } of taxes) {
    const sum = sums.get(key);
    if (sum) {
      sum.base = sum.base === null || base === null ? null : sum.base + base;
      sum.amount = sum.amount === null || amount === null ? null : sum.amount + amount;
    } else sums.set(key, { base, amount });
  }
  return sums;
}
