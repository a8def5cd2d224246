import type { Sale } from "../../../business/sales/schema.ts";
import type { Queryable } from "../../../db/pool.ts";
import { sql } from "../../../db/sql.ts";
import { type PlannedReturn, planReturn, type WantedLine } from "../../../fiscal/returns/plan-return.ts";
import { ApiError } from "../../../lib/errors.ts";
import { readReturnsOfSale } from "./read-sale.ts";

/** What would go back of a sale, to the peso. Nothing is recorded. */
export async function readReturnPlan(
  db: Queryable,
  accountId: string,
  saleId: string,
  lines: readonly WantedLine[],
): Promise<PlannedReturn> {
  const { rows } = await db.query<{ body: string }>(
    sql`select body from sales where account_id = ${accountId} and id = ${saleId}`,
  );
  if (!rows[0]) throw new ApiError("NOT_FOUND", { param: "id", message: "No existe esta venta en el negocio." });
  return planReturn(JSON.parse(rows[0].body) as Sale, await readReturnsOfSale(db, accountId, saleId), lines);
}
