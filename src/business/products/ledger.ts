import { divideHalfEven } from "../../lib/money.ts";

/** A product's exact stock and cost; the body publishes them rounded. */
export interface ProductLedger {
  stock_milli: number;
  /**
   * The quantity that came in with a known cost, and its value in billionths of a peso. The value is an integer stored as
   * text: floating-point sums depend on the order of their terms, and entries arrive in any order.
   */
  cost_milli: number;
  cost_value: string;
  /** The cost entered with the product. It applies until stock comes in with a cost of its own. */
  declared_cost: string;
}

export function newLedger(declaredCost: number): ProductLedger {
  return { stock_milli: 0, cost_milli: 0, cost_value: "0", declared_cost: String(declaredCost) };
}

/** A cost in millionths of a peso. toFixed rounds once; a multiplication would round twice. */
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
