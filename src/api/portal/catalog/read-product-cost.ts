import type { MarginSums } from "../../../business/sale-totals/margin.ts";
import { prepared } from "../../../db/sql.ts";
import type { ServedDeps } from "../../../deps.ts";
import { readMarginOfProduct } from "../../../reports/margin-report.ts";
import type { Period } from "../../../reports/period.ts";
import { unknownProduct } from "./read-product.ts";

/** One of the last times that it came in at a price, and what one cost after it. */
export interface CostStep {
  at: Date;
  quantity: number;
  unit_cost: number;
  average: number;
}

/** What a product costs, how that came about, and what it earned in the last days. */
export interface ProductCost extends Period {
  margin: MarginSums;
  steps: CostStep[];
}

const shownSteps = 20;

const stepsText = `
  select to_timestamp(s.us / 1000000.0) as at, m.delta_milli / 1000.0 as quantity,
    coalesce(m.corrected_cost, (m.body->>'unit_cost')::numeric) as unit_cost, round(s.average, 4) as average
  from cost_steps s join stock_movements m on m.account_id = s.account_id and m.id = s.movement_id
  where s.account_id = $1 and s.product_id = $2 order by s.us desc, s.movement_id desc limit ${shownSteps}`;

export async function readProductCost(
  deps: ServedDeps,
  accountId: string,
  id: string,
  { from, to, location_ids }: Period & { location_ids: readonly string[] | null },
): Promise<ProductCost> {
  const { pool } = deps;
  const [known, margin, steps] = await Promise.all([
    pool.query(prepared("select from products where account_id = $1 and id = $2", [accountId, id])),
    readMarginOfProduct(deps, accountId, id, { from, to, location_ids }),
    pool.query<CostStep>(prepared(stepsText, [accountId, id])),
  ]);
  if (known.rowCount === 0) throw unknownProduct();
  // What came in elsewhere is not for whoever has only some sedes.
  return { from, to, margin, steps: location_ids === null ? steps.rows : [] };
}
