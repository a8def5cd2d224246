import { divideHalfEven } from "../../lib/money.ts";
import type { Purchase, PurchaseCharge, PurchaseLine, PurchaseTax } from "./schema.ts";
import type { Spread } from "./states.ts";

/** Exact arithmetic on what is bought: thousandths of a unit, millionths of a peso, whole pesos. */

export const milli = (quantity: number): bigint => BigInt(Math.round(quantity * 1000));
/** toFixed rounds once; a multiplication would round twice. */
export const micro = (cost: number): bigint => BigInt(cost.toFixed(6).replace(".", ""));

/** What a line says before it is computed. */
export type LineInput = Pick<
  PurchaseLine,
  | "id"
  | "product_id"
  | "variant_id"
  | "supplier_code"
  | "description"
  | "unit"
  | "factor"
  | "quantity"
  | "unit_cost"
  | "discount"
  | "weight"
> & { taxes: readonly TaxInput[] };

/** An invoice says the amount; whoever types a purchase says the rate. */
export interface TaxInput {
  code: string;
  rate: number | null;
  amount?: number | undefined;
}

/** Of one line, in base units. */
export const baseMilli = ({ quantity, factor }: Pick<PurchaseLine, "quantity" | "factor">): bigint =>
  divideHalfEven(milli(quantity) * milli(factor), 1000n);

/** Quantity by cost, before the discount. */
export const grossOf = ({ quantity, unit_cost }: Pick<PurchaseLine, "quantity" | "unit_cost">): number =>
  Number(divideHalfEven(milli(quantity) * micro(unit_cost), 1_000_000_000n));

/** Lines as they stand in the purchase. Only the IVA of a business that charges it comes back to it. */
export function linesOf(
  inputs: readonly LineInput[],
  charges: readonly PurchaseCharge[],
  recoversIva: boolean,
): PurchaseLine[] {
  const lines = inputs.map((input): PurchaseLine => {
    const subtotal = grossOf(input) - input.discount;
    const taxes = input.taxes.map((tax): PurchaseTax => taxOf(tax, subtotal, recoversIva));
    const tax = taxes.reduce((sum, { amount }) => sum + amount, 0);
    return {
      ...{ object: "purchase_line", ...input, taxes, subtotal, tax, total: subtotal + tax },
      ...{ landed_unit_cost: 0, received: 0, returned: 0 },
    };
  });
  const shares = charges.map(({ amount, spread_by }) => spread(amount, weightsOf(lines, spread_by)));
  return lines.map((line, i) => {
    const added = shares.reduce((sum, share) => sum + (share[i] ?? 0), 0);
    return { ...line, landed_unit_cost: unitCostOf(line, added) };
  });
}

function taxOf({ code, rate, amount }: TaxInput, base: number, recoversIva: boolean): PurchaseTax {
  const computed = amount ?? Number(divideHalfEven(BigInt(base) * micro(rate ?? 0), 100_000_000n));
  return { code, rate, amount: computed, recoverable: code === "01" && recoversIva };
}

/** Per base unit, to six decimals: what the line is worth with what it carries, without what comes back. */
function unitCostOf(line: PurchaseLine, added: number): number {
  const kept = line.taxes.reduce((sum, { amount, recoverable }) => sum + (recoverable ? 0 : amount), 0);
  const units = baseMilli(line);
  if (units === 0n) return 0;
  return Number(divideHalfEven(BigInt(line.subtotal + kept + added) * 1_000_000_000n, units)) / 1_000_000;
}

/** By how much each line carries of what is spread. Where nothing has a value or a weight, units decide. */
export function weightsOf(lines: readonly PurchaseLine[], by: Spread): bigint[] {
  const byUnits = lines.map(baseMilli);
  const wanted = {
    value: lines.map(({ subtotal }) => BigInt(subtotal)),
    quantity: byUnits,
    weight: lines.map(({ weight }) => milli(weight ?? 0)),
  }[by];
  return wanted.some((weight) => weight > 0n) ? wanted : byUnits;
}

/** Whole pesos in proportion; what rounding leaves goes to one line, the heaviest. */
export function spread(amount: number, weights: readonly bigint[]): number[] {
  const all = weights.reduce((sum, weight) => sum + weight, 0n);
  if (all === 0n) return weights.map(() => 0);
  const sign = amount < 0 ? -1 : 1;
  const shares = weights.map((weight) => Number((BigInt(Math.abs(amount)) * weight) / all));
  const heaviest = weights.reduce((found, weight, i) => (weight > (weights[found] ?? 0n) ? i : found), 0);
  const rest = Math.abs(amount) - shares.reduce((sum, share) => sum + share, 0);
  return shares.map((share, i) => (share + (i === heaviest ? rest : 0)) * sign || 0);
}

interface Billed {
  lines: readonly PurchaseLine[];
  charges: readonly PurchaseCharge[];
  rounding: number;
}

/** What the supplier bills: the lines, the charges of his own invoice, and what that rounds. */
export function totalsOf({ lines, charges, rounding }: Billed) {
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const subtotal = sum(lines.map((line) => line.subtotal));
  const tax = sum(lines.map((line) => line.tax));
  return {
    subtotal,
    discount: sum(lines.map((line) => line.discount)),
    tax,
    tax_breakdown: breakdownOf(lines),
    charges_total: sum(charges.map((charge) => charge.amount + charge.tax)),
    rounding,
    total: subtotal + tax + billedCharges(charges) + rounding,
  };
}

const billedCharges = (charges: readonly PurchaseCharge[]): number =>
  charges.reduce((sum, { amount, tax, in_invoice }) => sum + (in_invoice ? amount + tax : 0), 0);

function breakdownOf(lines: readonly PurchaseLine[]): Purchase["tax_breakdown"] {
  const found = new Map<string, Purchase["tax_breakdown"][number]>();
  for (const { taxes, subtotal } of lines)
    for (const { code, rate, amount } of taxes) {
      const key = `${code} ${rate}`;
      const before = found.get(key) ?? { code, rate, per_unit: null, base: 0, amount: 0 };
      found.set(key, { ...before, base: before.base + subtotal, amount: before.amount + amount });
    }
  return [...found.values()];
}

/**
 * What is owed for what is here. Each line is billed its part of the whole, and of that what came of it: the differences of this
 * between two moments add up to it, whatever came in how many parts.
 */
export function owedFor({ lines, charges, rounding }: Billed): number {
  const carried = spread(billedCharges(charges) + rounding, weightsOf(lines, "value"));
  return lines.reduce((sum, line, i) => {
    const billed = BigInt(line.total + (carried[i] ?? 0));
    const here = milli(line.received) - milli(line.returned);
    const part = divideHalfEven((billed < 0n ? -billed : billed) * here, milli(line.quantity));
    return sum + Number(billed < 0n ? -part : part);
  }, 0);
}
