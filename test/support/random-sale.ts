import { randomUUID } from "node:crypto";
import type { Sale } from "../../src/business/sales/schema.ts";
import type { Chance } from "../../src/operations/demo/random.ts";
import { computeTaxes, type TaxRule } from "../../src/taxes/tax.ts";
import { bagTax, iva } from "../../src/taxes/tax-classes.ts";
import { saleBody, saleItemBody } from "./records.ts";

export interface Part {
  payment_method: string;
  amount: number;
}

export const below = (chance: Chance, limit: number) => chance.between(0, limit - 1);

export const methods = ["CASH", "CARD", "NEQUI", "FIADO"] as const;

const goods: readonly { tax_class: string; taxes: TaxRule[] }[] = [
  { tax_class: "standard", taxes: [iva(19)] },
  { tax_class: "reduced_5", taxes: [iva(5)] },
  { tax_class: "excluded", taxes: [] },
  { tax_class: "bag", taxes: [iva(19), bagTax(73)] },
  { tax_class: "passthrough", taxes: [] },
];

export function randomSale(chance: Chance, at: Date, session: string | null): Sale {
  const lines = Array.from({ length: 1 + below(chance, 4) }, () => {
    const { tax_class, taxes } = chance.pick(goods);
    const quantity =
      tax_class === "excluded" && chance.happens(0.5) ? 0.25 + below(chance, 8) / 8 : 1 + below(chance, 4);
    const discountable = tax_class !== "passthrough";
    return {
      tax_class,
      taxes,
      quantity,
      unit_price: 100 + below(chance, 50_000),
      discountable,
      product_id: randomUUID(),
    };
  });
  const eligible = lines.reduce((sum, one) => sum + (one.discountable ? one.quantity * one.unit_price : 0), 0);
  const discount = chance.happens(0.3) ? Math.floor((eligible * below(chance, 20)) / 100) : 0;
  const tip = chance.happens(0.25) ? 1 + below(chance, 9_000) : 0;
  const { lines: taxed, ...sums } = computeTaxes({ lines, discount, tip });
  const items = lines.map(({ quantity, unit_price, tax_class, product_id }, i) => {
    const { subtotal, taxes } = taxed[i]!;
    return saleItemBody({ quantity, unit_price, tax_class, product_id, subtotal, taxes });
  });
  const occurred_at = at.toISOString();
  return saleBody(occurred_at, { ...sums, items, occurred_at, cash_session_id: session });
}

/** How it was paid: in parts, in one, in parts that do not add up, or untold. */
export function randomParts(chance: Chance, total: number): Part[] | undefined {
  if (chance.happens(0.15)) return undefined;
  const count = total > 3 ? chance.pick([1, 1, 2, 2, 3]) : 1;
  const cuts = Array.from({ length: count - 1 }, () => 1 + below(chance, total - 1)).sort((a, b) => a - b);
  const ends = [...cuts, total];
  const parts = ends.map((end, i) => ({ payment_method: chance.pick(methods), amount: end - (ends[i - 1] ?? 0) }));
  if (chance.happens(0.05)) parts[0]!.amount += 7;
  return parts;
}

export const largest = (parts: readonly Part[]) => parts.reduce((best, one) => (one.amount > best.amount ? one : best));

/** The parts that count: those told if they add up, else the whole under what was published. */
export function countedParts(
  told: Part[] | undefined,
  { total, payment_method }: { total: number; payment_method: string },
): Part[] {
  const isWhole = told !== undefined && told.reduce((sum, { amount }) => sum + amount, 0) === total;
  return isWhole ? told : [{ payment_method, amount: total }];
}

/** What a record is worth, by the names of the books. */
export interface Worth {
  total: number;
  tip: number;
  passthrough: number;
  tax: number;
  discount: number;
  /** Amounts by code and rate. */
  taxes: Record<string, number>;
  /** What they are taken of: pesos, or units for a tax by unit. */
  bases: Record<string, number>;
}
type Told = Pick<Sale, "total" | "tip_amount" | "tax" | "discount" | "tax_breakdown">;
type Lines = readonly { tax_class: string; subtotal: number }[];

export function worthOf(record: Told, lines: Lines): Worth {
  const { total, tip_amount: tip, tax, discount, tax_breakdown } = record;
  const passthrough = lines.reduce((sum, line) => (line.tax_class === "passthrough" ? sum + line.subtotal : sum), 0);
  const taxes: Record<string, number> = {};
  const bases: Record<string, number> = {};
  for (const { code, rate, base, amount } of tax_breakdown ?? []) {
    add(taxes, `${code}:${rate}`, amount);
    add(bases, `${code}:${rate}`, base);
  }
  return { total, tip, passthrough, tax, discount, taxes, bases };
}

function add(sums: Record<string, number>, key: string, value: number): void {
  sums[key] = (sums[key] ?? 0) + value;
}

export function minus(whole: Worth, parts: Worth[]): Worth {
  const left = { ...whole, taxes: { ...whole.taxes }, bases: { ...whole.bases } };
  for (const part of parts) {
    for (const name of ["total", "tip", "passthrough", "tax", "discount"] as const) left[name] -= part[name];
    for (const name of ["taxes", "bases"] as const)
      for (const [key, value] of Object.entries(part[name])) add(left[name], key, -value);
  }
  return left;
}
