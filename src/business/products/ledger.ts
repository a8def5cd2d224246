import { type CostState, priceFromText, priceOf, pricePublished } from "../../costs/moving-average.ts";

/** A product's exact stock and cost; the body publishes them rounded. */
export interface ProductLedger {
  stock_milli: number;
  /** What came in with a cost and its value, over all time. Kept for processes of the version before, whose average it is. */
  cost_milli: number;
  cost_value: string;
  /** The cost entered with the product. It applies until stock comes in with a cost of its own. */
  declared_cost: string;
  /** The moving average, as a decimal text; null until something came in with a cost. */
  average_cost: string | null;
  /** Of what has left a warehouse for another and is in none, so that it is still the business's. */
  transit_milli: number | null;
  /** The own time of the last entry that came in with a cost; 0 for none. */
  costed_us: number | null;
  /** From when on this write has to go through the entries again; 0 for not at all. */
  recost_us: number | null;
}

export function newLedger(declaredCost: number): ProductLedger {
  return {
    ...{ stock_milli: 0, cost_milli: 0, cost_value: "0", declared_cost: String(declaredCost) },
    ...{ average_cost: null, transit_milli: 0, costed_us: 0, recost_us: 0 },
  };
}

/** The columns of a ledger, without what else stands in a row. */
export function ledgerOf(row: ProductLedger): ProductLedger {
  const { stock_milli, cost_milli, cost_value, declared_cost, average_cost, transit_milli, costed_us, recost_us } = row;
  return { stock_milli, cost_milli, cost_value, declared_cost, average_cost, transit_milli, costed_us, recost_us };
}

/** A cost in millionths of a peso. toFixed rounds once; a multiplication would round twice. */
export function costMicro(cost: number): bigint {
  return BigInt(cost.toFixed(6).replace(".", ""));
}

export function publishedStock(ledger: ProductLedger): number {
  return Math.floor(ledger.stock_milli / 1000);
}

/** What the business has of it, and what that costs: goods on their way from one warehouse to another are its own. */
export function costStateOf(ledger: ProductLedger): CostState {
  const { stock_milli, transit_milli, average_cost } = ledger;
  const average = average_cost === null ? formerPrice(ledger) : priceFromText(average_cost);
  return { milli: stock_milli + (transit_milli ?? 0), average };
}

/** One of before, whose entries nobody has gone through yet, costs what it did: the average over all time. */
function formerPrice({ cost_milli, cost_value }: ProductLedger): bigint | null {
  const price = cost_milli > 0 ? (BigInt(cost_value) * 1_000_000n) / BigInt(cost_milli) : 0n;
  return price > 0n ? price : null;
}

/** What one costs, to four decimals; 0 where nothing is known of it, as the contract has it. */
export function publishedCost(ledger: ProductLedger): number {
  const price = costStateOf(ledger).average ?? priceOf(Number(ledger.declared_cost));
  return price === null ? 0 : pricePublished(price);
}
