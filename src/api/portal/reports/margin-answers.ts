import type { CorrectedCost } from "../../../business/inventory/correct-cost.ts";
import type { SaleCosts } from "../../../business/sale-totals/costs-of-sale.ts";
import type { MarginSums } from "../../../business/sale-totals/margin.ts";
import type { MarginReport } from "../../../reports/margin-report.ts";
import type { StockValue } from "../../../reports/stock-value.ts";
import type { ProductCost } from "../catalog/read-product-cost.ts";

/** What the routes about costs answer with. */
export interface MarginAnswers {
  "GET /reports/margin": MarginReport;
  /** `below_cost`: lines sold for less than they cost. */
  "GET /today/margin": MarginSums & { day: string; below_cost: number };
  "GET /sales/:id/costs": SaleCosts;
  "GET /reports/stock-value": StockValue;
  "PUT /movements/:id/cost": CorrectedCost;
  "GET /products/:id/cost": ProductCost;
}
