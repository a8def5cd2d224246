import type { Write } from "../../engine/writing/write.ts";
import { ApiError, referenceNotFound, validationError } from "../../lib/errors.ts";
import { isCountedUnit } from "../../taxes/units.ts";
import { products } from "../products/resource.ts";
import { findWarehouse, placeOf } from "./find-warehouse.ts";
import { recordMovement } from "./record-movement.ts";
import type { NewMovement, StockMovement } from "./schema.ts";

export async function createMovement(write: Write, input: NewMovement): Promise<StockMovement> {
  checkSign(input);
  const product = await write.load(products, input.product_id);
  if (!product || product.body.deleted_at) throw referenceNotFound("product_id", "un producto");
  const { body } = product;
  if (input.variant_id !== undefined) throw new ApiError("VARIANT_STOCK_UNSUPPORTED", { param: "variant_id" });
  if (body.has_variants) throw new ApiError("VARIANT_STOCK_UNSUPPORTED", { param: "product_id" });
  if (body.kind === "composite") throw new ApiError("COMPOSITE_STOCK_UNSUPPORTED", { param: "product_id" });
  if (isCountedUnit(body.base_unit) && !Number.isInteger(input.quantity)) {
    throw quantityError(`\`quantity\` debe ser un número entero: el producto se cuenta en \`${body.base_unit}\`.`);
  }
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
