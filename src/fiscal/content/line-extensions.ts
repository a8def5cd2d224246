import type { SaleItem } from "../../business/sales/schema.ts";
import { shareOut, sum } from "../../taxes/exact.ts";

type Line = Pick<SaleItem, "subtotal" | "tax_class" | "taxes">;

/**
 * What each line is worth before taxes and after its share of the sale's discount, so that all sum up to the document's
 * subtotal. A taxed line shows it as its base. The share of an untaxed line is not published: together they hold what
 * the bases leave, and it is shared out among them as the discount was, by value.
 */
export function lineExtensions(lines: readonly Line[], subtotal: number): number[] {
  const bases = lines.map(({ taxes }) => taxes?.find((tax) => tax.rate !== null)?.base);
  const values = lines.map(valueWithoutPerUnit);
  const isShared = lines.map((line, i) => bases[i] === undefined && line.tax_class !== "passthrough");
  const fixed = lines.map((_, i) => (isShared[i] ? 0n : BigInt(bases[i] ?? values[i]!)));
  const weights = values.map((value, i) => (isShared[i] ? BigInt(value) : 0n));
  const left = BigInt(subtotal) - sum(fixed);
  const all = sum(weights);
  // A sale that does not add up keeps its lines as they came: the authority says what is wrong with it.
  if (left < 0n || left > all || all === 0n || weights.some((weight) => weight < 0n))
    return lines.map((_, i) => Number(isShared[i] ? weights[i]! : fixed[i]!));
  const shares = shareOut(
    weights.map((weight) => weight * left),
    all,
  );
  return lines.map((_, i) => Number(isShared[i] ? shares[i]! : fixed[i]!));
}

function valueWithoutPerUnit({ subtotal, taxes }: Line): number {
  return (taxes ?? []).reduce((value, tax) => (tax.rate === null ? value - tax.amount : value), subtotal);
}
