import type { Write } from "../../engine/writing/write.ts";
import { ApiError, referenceNotFound, validationError } from "../../lib/errors.ts";
import { isCountedUnit } from "../../taxes/units.ts";
import { products } from "../products/resource.ts";
import type { Product } from "../products/schema.ts";
import { findWarehouse, placeOf } from "./find-warehouse.ts";
import { recordMovement } from "./record-movement.ts";
import type { NewMovement, StockMovement } from "./schema.ts";

export async function createMovement(write: Write, input: NewMovement): Promise<StockMovement> {
  checkSign(input);
  const product = await write.load(products, input.product_id);
  if (!product || product.body.deleted_at) throw referenceNotFound("product_id", "un producto");
  const { body } = product;
  if (input.variant_id !== undefined) throw new ApiError("VARIANT_STOCK_UNSUPPORTED", { param: "variant_id" });
  requireMovable(body, input.quantity);
  const warehouse_id = await findWarehouse(write, input.warehouse_id);
  const { movement, emitCreated } = recordMovement(write, product, {
    warehouse_id,
    location_id: await placeOf(write, warehouse_id),
    type: input.type,
    quantity: input.quantity,
    unit_cost: input.unit_cost ?? null,
    reason: input.reason ?? null,
    reference: input.reference ?? null,
    origin_type: input.type === "adjustment" ? "adjustment" : null,
  });
  emitCreated();
  return movement;
}

/** Throws unless a product has stock of its own that so much of may move. */
export function requireMovable(
  { has_variants, kind, base_unit }: Pick<Product, "has_variants" | "kind" | "base_unit">,
  moved: number,
  { product, quantity }: { product: string; quantity: string } = { product: "product_id", quantity: "quantity" },
): void {
  if (has_variants) throw new ApiError("VARIANT_STOCK_UNSUPPORTED", { param: product });
  if (kind === "composite") throw new ApiError("COMPOSITE_STOCK_UNSUPPORTED", { param: product });
  if (isCountedUnit(base_unit) && !Number.isInteger(moved))
    throw validationError([
      {
        param: quantity,
        message: `\`quantity\` debe ser un número entero: el producto se cuenta en \`${base_unit}\`.`,
      },
    ]);
}

function checkSign({ type, quantity }: NewMovement): void {
  if (quantity === 0) throw quantityError("`quantity` no puede ser 0: un movimiento siempre es una diferencia.");
  if (type !== "adjustment" && quantity < 0) {
    throw quantityError(
      `\`quantity\` debe ser mayor que 0 en un movimiento \`${type}\`. Para restar use \`out\` o un \`adjustment\` negativo.`,
    );
  }
}

function quantityError(message: string): ApiError {
  return validationError([{ param: "quantity", message }]);
}
