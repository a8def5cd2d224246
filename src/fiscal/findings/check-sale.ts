import { toScaled } from "../../taxes/exact.ts";
import { type CheckedLine, type CheckedTax, checkLine, checkTaxes, taxedValue } from "./check-line.ts";
import { type Checking, type Finding, finding, isRecord, pesosIn, sumKnown } from "./finding.ts";

/**
 * Finds what does not add up in an uploaded sale. It checks the sale against itself and against the rules that all
 * registers share. It does not recompute taxes: which ones applied was settled at the counter. Malformed content of any
 * kind is a finding, never an exception.
 */
export function checkSale(sale: unknown): Finding[] {
  return check(sale).take(mostFindings).toArray();
}

/** Enough to see what is wrong; a broken register must not fill the database with findings about one sale. */
const mostFindings = 100;

function* check(sale: unknown): Checking<void> {
  if (!isRecord(sale)) {
    yield finding("", "object", sale, "La venta no se puede leer.");
    return;
  }
  const lines = yield* checkLines(sale.items);
  const breakdown = yield* checkTaxes(sale.tax_breakdown ?? null, "tax_breakdown");
  const subtotal = yield* pesosIn(sale, "subtotal");
  const discount = yield* pesosIn(sale, "discount");
  const tax = yield* pesosIn(sale, "tax");
  const tip = yield* pesosIn(sale, "tip_amount");
  const total = yield* pesosIn(sale, "total");

  yield* mustEqual("subtotal", lines && sumKnown(lines.map((line) => line.subtotal)), subtotal, texts.subtotal);
  if (subtotal !== null && discount !== null && tip !== null)
    yield* mustEqual("total", subtotal - discount + tip, total, texts.total);
  if (subtotal !== null && discount !== null && discount > subtotal)
    yield finding("discount", subtotal, discount, "El descuento supera el subtotal.");
  if (breakdown !== null) yield* mustEqual("tax", totalOf(breakdown), tax, texts.taxOfBreakdown);
  if (total !== null && tip !== null && tax !== null && tax > total - tip)
    yield finding("tax", total - tip, tax, "El impuesto supera lo vendido.");

  if (lines === null) return;
  if (subtotal !== null && discount !== null) yield* checkPercent(sale.discount_percent, subtotal, discount, lines);
  if (discount !== null && discount >= 0n) yield* checkDiscountInLines(lines, discount);
  const lineTaxes = allTaxes(lines);
  if (lineTaxes === null) return;
  yield* mustEqual("tax", totalOf(lineTaxes), tax, texts.taxOfLines);
  if (breakdown !== null) yield* checkBreakdown(breakdown, lineTaxes);
}

const texts = {
  subtotal: "El subtotal no es la suma de las líneas.",
  total: "El total no es subtotal menos descuento más propina.",
  taxOfBreakdown: "El impuesto no es la suma del desglose.",
  taxOfLines: "El impuesto no es la suma de los impuestos de las líneas.",
};

function* mustEqual(field: string, expected: bigint | null, got: bigint | null, message: string): Checking<void> {
  if (expected !== null && got !== null && expected !== got) yield finding(field, expected, got, message);
}

function* checkLines(items: unknown): Checking<CheckedLine[] | null> {
  if (!Array.isArray(items)) {
    yield finding("items", "array", items, "Las líneas no se pueden leer.");
    return null;
  }
  const lines: CheckedLine[] = [];
  for (const [index, item] of items.entries()) lines.push(yield* checkLine(item, `items[${index}]`));
  return lines;
}

/** Enough for every digit of a double: the register may have computed its percentage by division. */
const percentDecimals = 25;
const hundred = 100n * 10n ** 25n;

/**
 * Registers show a percentage with two decimals, of the discountable lines or of the whole subtotal: the discount in
 * pesos must match one of the two.
 */
function* checkPercent(percent: unknown, subtotal: bigint, discount: bigint, lines: CheckedLine[]): Checking<void> {
  if (percent === undefined || percent === null || percent === 0) return;
  const scaled = typeof percent === "number" ? toScaled(percent, percentDecimals) : "unreadable";
  if (typeof scaled === "string" || scaled > hundred) {
    yield finding("discount_percent", "0-100", percent, "No es un porcentaje entre 0 y 100.");
    return;
  }
  const eligible = sumKnown(lines.map((line) => (line.taxClass === "passthrough" ? 0n : line.gross)));
  if (eligible === null || eligible < 0n || subtotal < 0n) return;
  const slack = hundred / 20_000n;
  const least = scaled > slack ? (eligible * (scaled - slack)) / hundred : 0n;
  const most = (subtotal * (scaled + slack)) / hundred + 1n;
  if (discount < least || discount > most)
    yield finding("discount", (eligible * scaled) / hundred, discount, "El descuento no corresponde a su porcentaje.");
}

/**
 * Base plus percentage taxes is the price of the line after its share of the discount. The share is not published, so
 * for a single line it only has bounds; where every discountable line is taxed, the shares must sum up to the discount.
 */
function* checkDiscountInLines(lines: CheckedLine[], discount: bigint): Checking<void> {
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
      yield finding(`${line.at}.taxes`, line.gross, value, "La base más los impuestos no dan el valor de la línea.");
  }
  if (shared > discount || (isComplete && shared !== discount))
    yield finding("discount", shared, discount, "Las bases de las líneas no reflejan el descuento de la venta.");
}

/** Null when any line lacks its taxes: the others alone say nothing about the sale. */
function allTaxes(lines: CheckedLine[]): CheckedTax[] | null {
  if (lines.some((line) => line.taxes === null)) return null;
  return lines.flatMap((line) => line.taxes ?? []);
}

function totalOf(taxes: CheckedTax[]): bigint | null {
  return sumKnown(taxes.map((tax) => tax.amount));
}

function* checkBreakdown(breakdown: CheckedTax[], lineTaxes: CheckedTax[]): Checking<void> {
  const ofLines = Map.groupBy(lineTaxes, (tax) => tax.key);
  const ofSale = Map.groupBy(breakdown, (tax) => tax.key);
  for (const key of new Set([...ofLines.keys(), ...ofSale.keys()]))
    for (const part of ["base", "amount"] as const) {
      const expected = sumKnown((ofLines.get(key) ?? []).map((tax) => tax[part]));
      const got = sumKnown((ofSale.get(key) ?? []).map((tax) => tax[part]));
      yield* mustEqual(
        `tax_breakdown.${part}`,
        expected,
        got,
        `El desglose del impuesto ${key} no es el de las líneas.`,
      );
    }
}
