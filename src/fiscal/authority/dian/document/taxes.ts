import { sum } from "../../../../taxes/exact.ts";
import type { LineTax, TaxTotal } from "../../../../taxes/tax.ts";
import { group, leaf, type Xml } from "../xml/write-xml.ts";
import { amountOf, percentText } from "./amounts.ts";
import { pieces, taxNames } from "./codes.ts";

/** One total for each tax with one subtotal for each rate. What is excluded from all taxes has no total at all. */
export function taxTotals(taxes: readonly (LineTax | TaxTotal)[]): Xml[] {
  const byCode = Map.groupBy(taxes, ({ code }) => code);
  return [...byCode].map(([code, same]) =>
    group(
      "cac:TaxTotal",
      amountOf("cbc:TaxAmount", Number(sum(same.map(({ amount }) => BigInt(amount))))),
      ...same.map((tax) => subtotal(code, tax)),
    ),
  );
}

/**
 * A percentage of its base, or so much for each unit. A tax by unit has no base in pesos: the authority adds up the
 * bases of the lines, and its own example of a bag leaves it out.
 */
function subtotal(code: string, { rate, per_unit, base, amount }: LineTax | TaxTotal): Xml {
  const amountPaid = amountOf("cbc:TaxAmount", amount);
  return per_unit === null
    ? group(
        "cac:TaxSubtotal",
        amountOf("cbc:TaxableAmount", base),
        amountPaid,
        group("cac:TaxCategory", leaf("cbc:Percent", percentText(rate ?? 0)), taxScheme(code)),
      )
    : group(
        "cac:TaxSubtotal",
        amountPaid,
        leaf("cbc:BaseUnitMeasure", base.toFixed(2), { unitCode: pieces }),
        amountOf("cbc:PerUnitAmount", per_unit),
        group("cac:TaxCategory", taxScheme(code)),
      );
}

export function taxScheme(code: string): Xml {
  return group("cac:TaxScheme", leaf("cbc:ID", code), leaf("cbc:Name", taxNames[code] ?? code));
}
