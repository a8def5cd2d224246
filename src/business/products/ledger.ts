import { divideHalfEven } from "../../lib/money.ts";

/** What the ledger knows of a product to the last thousandth; the body publishes it rounded. */
export interface ProductLedger {
  stock_milli: number;
  /**
   * Quantity of what came in with a known cost, and its value in billionths of a peso. The value is a whole number
   * kept as text: sums of floating point depend on their order, and entries arrive in any.
   */
  cost_milli: number;
  cost_value: string;
  /** The cost typed when the product was made, in force until something comes in with one. */
  declared_cost: string;
}

export function newLedger(declaredCost: number): ProductLedger {
  return { stock_milli: 0, cost_milli: 0, cost_value: "0", declared_cost: String(declaredCost) };
}

/** A cost in millionths of a peso. toFixed is exact where a multiplication would round twice. */
export function costMicro(cost: number): bigint {
  return BigInt(cost.toFixed(6).replace(".", ""));
}

export function publishedStock(ledger: ProductLedger): number {
  return Math.floor(ledger.stock_milli / 1000);
}

/** The weighted average per base unit, to four decimals. */
export function publishedCost({ cost_milli, cost_value, declared_cost }: ProductLedger): number {
  const tenThousandths =
    cost_milli > 0
      ? divideHalfEven(BigInt(cost_value), 100n * BigInt(cost_milli))
      : divideHalfEven(costMicro(Number(declared_cost)), 100n);
  return Number(tenThousandths) / 10_000;
}
