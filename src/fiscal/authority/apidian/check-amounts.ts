import { divideHalfEven } from "../../../lib/money.ts";
import { sum, toScaled } from "../../../taxes/exact.ts";
import { million } from "../../../taxes/read-values.ts";
import { distance, fromCents, larger, toleranceCents } from "../amounts.ts";
import { correctSale, type DocumentProblem } from "../document-problem.ts";

/** The parts of a request that have amounts. */
interface Amounts {
  legal_monetary_totals: {
    line_extension_amount: string;
    tax_exclusive_amount: string;
    tax_inclusive_amount: string;
    charge_total_amount?: string;
    payable_amount: string;
  };
  allowance_charges?: Charge[];
  tax_totals: Tax[];
  invoice_lines?: Line[];
  credit_note_lines?: Line[];
}

interface Charge {
  charge_indicator: boolean;
  amount: string;
}

interface Tax {
  tax_amount: string;
  taxable_amount: string;
  percent: string;
  per_unit_amount?: string;
  base_unit_measure?: string;
}

interface Line {
  description: string;
  line_extension_amount: string;
  free_of_charge_indicator: boolean;
  allowance_charges?: Charge[];
  tax_totals: Tax[];
  price_amount: string;
  base_quantity: string;
}

/**
 * The authority's arithmetic over a request, in its own order: each line (FAV06, FAX07), the taxes of the document
 * (FAS07), its totals (FAU02, FAU04, FAU06, FAU14). Each may be two pesos off. Returns the first that is not met.
 */
export function checkAmounts(request: object): DocumentProblem | undefined {
  const body = request as Amounts;
  const lines = body.invoice_lines ?? body.credit_note_lines ?? [];
  for (const [i, line] of lines.entries()) {
    const place = `la línea ${i + 1} (${line.description})`;
    const problem =
      checkPrice(line, place) ?? line.tax_totals.map((tax) => checkTax("FAX07", tax, place)).find(Boolean);
    if (problem) return problem;
  }
  return body.tax_totals.map((tax) => checkTax("FAS07", tax, "la venta")).find(Boolean) ?? checkTotals(body, lines);
}

/** FAV06: the price of one unit by the quantity, less the line's discounts, is the line. One given away is worth nothing. */
function checkPrice(line: Line, place: string): DocumentProblem | undefined {
  const price = line.free_of_charge_indicator ? 0n : cents(line.price_amount);
  const product = divideHalfEven(price * micro(line.base_quantity), million);
  const expected = product + chargesIn(line.allowance_charges);
  return differs(
    "FAV06",
    expected,
    cents(line.line_extension_amount),
    (from, to) => `En ${place}, precio por cantidad menos descuentos da $${from} y la línea dice $${to}.`,
  );
}

/** A percentage of its base, or so much per unit. */
function checkTax(rule: "FAX07" | "FAS07", tax: Tax, place: string): DocumentProblem | undefined {
  const isPerUnit = tax.per_unit_amount !== undefined && tax.base_unit_measure !== undefined;
  const expected = isPerUnit
    ? divideHalfEven(cents(tax.per_unit_amount!) * micro(tax.base_unit_measure!), million)
    : divideHalfEven(cents(tax.taxable_amount) * cents(tax.percent), 10_000n);
  return differs(rule, expected, cents(tax.tax_amount), (from, to) =>
    isPerUnit
      ? `En ${place}, el impuesto por unidad da $${from} y dice $${to}.`
      : `En ${place}, el ${tax.percent} % de $${tax.taxable_amount} es $${from} y el impuesto dice $${to}.`,
  );
}

function checkTotals(body: Amounts, lines: readonly Line[]): DocumentProblem | undefined {
  const totals = body.legal_monetary_totals;
  const net = cents(totals.line_extension_amount);
  const inclusive = cents(totals.tax_inclusive_amount);
  const taxes = sum(body.tax_totals.map((tax) => cents(tax.tax_amount)));
  return (
    differs(
      "FAU02",
      sum(lines.map((line) => cents(line.line_extension_amount))),
      net,
      (from, to) => `Las líneas suman $${from} antes de impuestos y la venta dice $${to}.`,
    ) ??
    differs(
      "FAU04",
      sum(lines.map(baseOf)),
      cents(totals.tax_exclusive_amount),
      (from, to) => `Las bases de las líneas suman $${from} y la venta dice $${to}.`,
    ) ??
    differs(
      "FAU06",
      net + taxes,
      inclusive,
      (from, to) => `El valor antes de impuestos más los impuestos da $${from} y la venta dice $${to}.`,
    ) ??
    differs(
      "FAU14",
      inclusive + chargesIn(body.allowance_charges),
      cents(totals.payable_amount),
      (from, to) => `Lo vendido con impuestos y propina da $${from} y el total a pagar dice $${to}.`,
    )
  );
}

/** A line's base counts once, however many taxes it has. */
function baseOf({ tax_totals }: Line): bigint {
  return tax_totals.reduce((most, tax) => larger(most, cents(tax.taxable_amount)), 0n);
}

function chargesIn(charges: readonly Charge[] = []): bigint {
  return sum(charges.map(({ charge_indicator, amount }) => (charge_indicator ? cents(amount) : -cents(amount))));
}

function differs(
  rule: string,
  expected: bigint,
  got: bigint,
  message: (expected: string, got: string) => string,
): DocumentProblem | undefined {
  if (distance(expected, got) <= toleranceCents) return undefined;
  return {
    field: rule,
    message: `${message(money(expected), money(got))} Es la regla ${rule} de la DIAN.`,
    advice: correctSale,
  };
}

function money(amount: bigint): string {
  return amount < 0n ? `-${fromCents(-amount)}` : fromCents(amount);
}

function cents(text: string): bigint {
  return scaled(text, 2);
}

function micro(text: string): bigint {
  return scaled(text, 6);
}

/** The fields were checked before: what is unreadable here counts as nothing and fails its rule. */
function scaled(text: string, decimals: number): bigint {
  const read = toScaled(text, decimals);
  return typeof read === "bigint" ? read : 0n;
}
