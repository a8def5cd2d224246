import type { Queryable } from "../../db/pool.ts";
import { oneRow } from "../../db/read.ts";
import { prepared } from "../../db/sql.ts";
import { ApiError } from "../../lib/errors.ts";
import { type CostSums, costSumsSql, type MarginSums, marginOf } from "./margin.ts";
import { nilUuid } from "./tables.ts";

/** What one product of a sale cost, all its lines together. */
export interface SoldCost {
  /** Null for lines that are of no product. */
  product_id: string | null;
  name: string | null;
  quantity: number;
  /** Without taxes. */
  net: number;
  /** Null while nobody knows. */
  unit_cost: number | null;
  cost: number | null;
  /** Sold before it came in: what comes in next says what it cost. */
  is_guess: boolean;
  /** What it was said to cost at first, where that changed since. */
  first_cost: number | null;
  recosted_at: Date | null;
}

/** What a sale earned, less what was taken back of it. */
export interface SaleCosts extends MarginSums {
  products: SoldCost[];
}

const sumsText = `
  select coalesce(lines, 0) as lines, coalesce(net, 0) as net, cost, unknown_lines, unknown_net, guess_lines
  from (select ${costSumsSql} from sale_costs where account_id = $1 and sale_id = $2) s`;

const productsText = `
  select nullif(c.product_id, '${nilUuid}') as product_id, p.body->>'name' as name, c.milli / 1000.0 as quantity, c.net,
    round(c.cost * 1000 / nullif(c.milli, 0), 4) as unit_cost, round(c.cost) as cost, c.is_guess, round(c.first_cost) as first_cost,
    c.recosted_at
  from sale_costs c left join products p on p.account_id = c.account_id and p.id = c.product_id
  where c.account_id = $1 and c.sale_id = $2 and c.kind = 'sale' order by c.net desc, c.product_id`;

export async function costsOfSale(db: Queryable, accountId: string, saleId: string): Promise<SaleCosts> {
  const values = [accountId, saleId];
  const [known, sums, products] = await Promise.all([
    db.query(prepared("select from sales where account_id = $1 and id = $2", values)),
    db.query<CostSums>(prepared(sumsText, values)),
    db.query<SoldCost>(prepared(productsText, values)),
  ]);
  if (known.rowCount === 0)
    throw new ApiError("NOT_FOUND", { param: "id", message: "No existe esta venta en el negocio." });
  return { ...marginOf(oneRow(sums.rows)), products: products.rows };
}
