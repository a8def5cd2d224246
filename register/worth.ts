import { passthroughOf, type RecordSums } from "../src/business/sale-totals/definition.ts";
import type { KeptReturn, KeptSale } from "./sale.ts";

const names = ["total", "tax", "discount", "tip", "passthrough"] as const;
export const nothing: RecordSums = { total: 0, tax: 0, discount: 0, tip: 0, passthrough: 0 };

export function addWorth(...all: readonly RecordSums[]): RecordSums {
  const sums = { ...nothing };
  for (const one of all) for (const name of names) sums[name] += one[name];
  return sums;
}

/** What was charged, and what a cancellation takes back. */
export function worthOf({ data }: Pick<KeptSale, "data">): RecordSums {
  const { total, tax, discount, tip_amount: tip, items } = data;
  return { total, tax, discount, tip, passthrough: passthroughOf(items) };
}

export type ReturnWorth = Pick<KeptReturn, "total" | "tax" | "discount" | "tip_amount" | "lines">;

export function worthOfReturn({ total, tax, discount, tip_amount: tip, lines }: ReturnWorth): RecordSums {
  return { total, tax, discount, tip, passthrough: passthroughOf(lines) };
}
