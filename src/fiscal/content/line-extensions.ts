import type { SaleItem } from "../../business/sales/schema.ts";
import { shareOut, sum } from "../../taxes/exact.ts";

type Line = Pick<SaleItem, "subtotal" | "tax_class" | "taxes">;

/**
 * The value of each line before taxes and after its share of the sale's discount; they sum up to the document's
 * subtotal. For a taxed line it is the base. For untaxed lines it is not published: together they hold the rest of the
 * subtotal, which is distributed among them by value, as the discount was.
 */
export function lineExtensions(lines: readonly Line[], subtotal: number): number[] {
  const bases = lines.map(({ taxes }) => taxes?.find((tax) => tax.rate !== null)?.base);
  const values = lines.map(valueWithoutPerUnit);
  const isShared = lines.map((line, i) => bases[i] === undefined && line.tax_class !== "passthrough");
  const fixed = lines.map((_, i) => (isShared[i] ? 0n : BigInt(bases[i] ?? values[i]!)));
  const weights = values.map((value, i) => (isShared[i] ? BigInt(value) : 0n));
  const left = BigInt(subtotal) - sum(fixed);
  const all = sum(weights);
  // A sale that does not add up keeps its lines unchanged: the authority will say what is wrong with it.
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
