import { sql } from "../../db/sql.ts";
import type { Write } from "../../engine/writing/write.ts";
import { ApiError, validationError } from "../../lib/errors.ts";
import { must } from "../../lib/must.ts";
import { products } from "../products/resource.ts";
import { usOf } from "./ledger.ts";
import { stockMovements } from "./resource.ts";

/** What a correction changed, for the audit log. */
export interface CorrectedCost {
  movement_id: string;
  product: string;
  before: number | null;
  after: number;
}

/**
 * What came in cost something else, as its bill says later. The entry stays as it was said; what it cost stands beside it, and the end of
 * the write goes through all that came after it.
 */
export async function correctCost(write: Write, movementId: string, unitCost: number): Promise<CorrectedCost> {
  const entry = await write.load(stockMovements, movementId);
  if (!entry) throw new ApiError("NOT_FOUND", { param: "id", message: "No existe este movimiento en el negocio." });
  const { delta_milli, made_us, corrected_cost, body } = entry;
  if (delta_milli <= 0)
    throw validationError([{ param: "unit_cost", message: "Solo tiene costo lo que entró. Corrija una entrada." }]);
  await write.client.query(sql`
    update stock_movements set corrected_cost = ${String(unitCost)} where account_id = ${write.accountId} and id = ${body.id}`);
  const product = must(await write.load(products, body.product_id), "What came in is of a product");
  const changed = { ...product, recost_us: made_us ?? usOf(body.created_at) };
  write.put(products, { ...changed, body: { ...product.body, updated_at: write.at.toISOString() } }, product.tracking);
  const before = corrected_cost ? Number(corrected_cost) : body.unit_cost;
  return { movement_id: body.id, product: product.body.name, before, after: unitCost };
}
