import { divideHalfEven } from "../../lib/money.ts";
import { sum, toScaled } from "../../taxes/exact.ts";
import { hundredPercent, million } from "../../taxes/read-values.ts";
import { type Fields, isRecord, pesosIn, type Report, sumKnown } from "./finding.ts";

export type CheckedTax = { key: string; isPercentage: boolean; base: bigint | null; amount: bigint | null };
export type CheckedLine = {
  at: string;
  subtotal: bigint | null;
  /** The subtotal without per-unit taxes. */
  gross: bigint | null;
  /** Null when the register stored none, or they are unreadable. */
  taxes: CheckedTax[] | null;
  taxClass: unknown;
};

/** The authority allows a tax to differ from base × rate by 2.00 pesos. */
const tolerance = 2n * hundredPercent;

export function checkLine(report: Report, item: unknown, at: string): CheckedLine {
  if (!isRecord(item)) {
    report(at, "object", item, "La línea no se puede leer.");
    return { at, subtotal: null, gross: null, taxes: null, taxClass: null };
  }
  const quantity = quantityIn(report, item, at);
  const price = pesosIn(report, item, "unit_price", at);
  const subtotal = pesosIn(report, item, "subtotal", at);
  const taxes = checkTaxes(report, item.taxes ?? null, `${at}.taxes`);

  const perUnit = perUnitTaxes(item, taxes);
  if (quantity !== null && price !== null && price >= 0n && subtotal !== null && perUnit !== null) {
    const exact = quantity * price;
    // Registers may round half a peso either way: both neighbouring whole pesos are accepted.
    const lowest = exact / million + perUnit;
    const highest = lowest + (exact % million === 0n ? 0n : 1n);
    if (subtotal < lowest || subtotal > highest)
      report(
        `${at}.subtotal`,
        divideHalfEven(exact, million) + perUnit,
        item.subtotal,
        "No es cantidad por precio más los impuestos por unidad.",
      );
  }
  if (quantity !== null) checkUnits(report, quantity, taxes ?? [], `${at}.taxes`);
  const gross = subtotal === null || perUnit === null ? null : subtotal - perUnit;
  return { at, subtotal, gross, taxes, taxClass: item.tax_class };
}

/** Entries of line taxes or of the breakdown; null stays null. */
export function checkTaxes(report: Report, entries: unknown, at: string): CheckedTax[] | null {
  if (entries === null) return null;
  if (!Array.isArray(entries)) {
    report(at, "array", entries, "Los impuestos no se pueden leer.");
    return null;
  }
  const taxes: CheckedTax[] = [];
  const keys = new Set<string>();
  for (let i = 0; i < entries.length; i++) {
    const tax = checkTax(report, entries[i], `${at}[${i}]`);
    if (tax === null) return null;
    if (keys.has(tax.key)) report(`${at}[${i}]`, null, tax.key, "El mismo impuesto aparece dos veces.");
    keys.add(tax.key);
    taxes.push(tax);
  }
  return taxes;
}

function checkTax(report: Report, entry: unknown, at: string): CheckedTax | null {
  if (!isRecord(entry) || typeof entry.code !== "string") {
    report(at, "object", entry, "El impuesto no se puede leer.");
    return null;
  }
  const rate = entry.rate ?? null;
  const perUnit = entry.per_unit ?? null;
  if ((rate === null) === (perUnit === null)) {
    report(at, null, entry.code, "Un impuesto tiene tarifa o valor por unidad, uno de los dos.");
    return null;
  }
  const base = pesosIn(report, entry, "base", at);
  const amount = pesosIn(report, entry, "amount", at);
  const code = entry.code.slice(0, 20);
  if (rate === null) {
    const each = pesosIn(report, entry, "per_unit", at);
    if (each === null) return null;
    if (base !== null && amount !== null && amount !== base * each)
      report(`${at}.amount`, base * each, entry.amount, "No es unidades por valor de cada una.");
    return { key: `${code} $${each}`, isPercentage: false, base, amount };
  }
  const scaledRate = typeof rate === "number" ? toScaled(rate, 4) : "unreadable";
  if (typeof scaledRate === "string") {
    report(`${at}.rate`, "number", rate, "No es una tarifa.");
    return null;
  }
  if (
    base !== null &&
    amount !== null &&
    base >= 0n &&
    distance(amount * hundredPercent, base * scaledRate) > tolerance
  )
    report(
      `${at}.amount`,
      divideHalfEven(base * scaledRate, hundredPercent),
      entry.amount,
      "Se aparta más de 2 pesos de base por tarifa.",
    );
  return { key: `${code} ${Number(rate)}%`, isPercentage: true, base, amount };
}

function quantityIn(report: Report, item: Fields, at: string): bigint | null {
  const scaled = typeof item.quantity === "number" ? toScaled(item.quantity, 6) : "unreadable";
  if (typeof scaled === "bigint") return scaled;
  report(`${at}.quantity`, "number", item.quantity, "No es una cantidad positiva de hasta 6 decimales.");
  return null;
}

function checkUnits(report: Report, quantity: bigint, taxes: readonly CheckedTax[], at: string): void {
  for (const [index, { isPercentage, base }] of taxes.entries())
    if (!isPercentage && base !== null && base * million !== quantity)
      report(
        `${at}[${index}].base`,
        divideHalfEven(quantity, million),
        base,
        "La base de un impuesto por unidad es la cantidad.",
      );
}

/** A bag without stored taxes still paid them: what was added to its price is unknown. */
function perUnitTaxes(item: Fields, taxes: readonly CheckedTax[] | null): bigint | null {
  if (taxes !== null) return sumKnown(taxes.filter((tax) => !tax.isPercentage).map((tax) => tax.amount));
  return item.tax_class === "bag" || (item.taxes ?? null) !== null ? null : 0n;
}

/** The line's base plus its percentage taxes; null when it has none or they are unreadable. */
export function taxedValue(line: CheckedLine): bigint | null {
  const percentages = line.taxes?.filter((tax) => tax.isPercentage) ?? [];
  const base = percentages[0]?.base ?? null;
  const amount = sumKnown(percentages.map((tax) => tax.amount));
  return base === null || amount === null ? null : sum([base, amount]);
}

function distance(a: bigint, b: bigint): bigint {
  return a > b ? a - b : b - a;
}
