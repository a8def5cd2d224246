import type { Static } from "typebox";
import { movementTypes } from "../../business/inventory/schema.ts";
import { label, oneOf, uuid } from "../../engine/resources/fields.ts";
import { ApiError, validationError } from "../../lib/errors.ts";
import { Type } from "../../lib/schema.ts";
import { confirmationField, makeOnce } from "../change.ts";
import { defineTool } from "../tool.ts";

const Input = Type.Object(
  {
    product_id: uuid({ description: "El producto; búsquelo con `find_product`." }),
    type: oneOf(movementTypes, {
      description: "`in` entra, `out` sale; `adjustment` corrige, y su cantidad puede ser negativa.",
    }),
    quantity: Type.Number({ description: "Cuánto cambia, en la unidad del producto; nunca cuánto queda." }),
    reason: label(200, { description: "Por qué, como lo diría la persona." }),
    warehouse_id: Type.Optional(uuid({ description: "La bodega; por omisión, la predeterminada." })),
    unit_cost: Type.Optional(Type.Number({ minimum: 0, description: "Costo por unidad, si es una compra." })),
    confirmation: confirmationField,
  },
  { additionalProperties: false },
);
type Input = Static<typeof Input>;

export const adjustStock = defineTool({
  name: "adjust_stock",
  title: "Mover existencias",
  description: "Registra una entrada, una salida o un ajuste de las existencias de un producto.",
  scopes: ["products:read", "inventory:write"],
  writes: { destroys: false },
  input: Input,
  async run(input: Input, context) {
    const { product_id, type, quantity, confirmation: _, ...rest } = input;
    if (quantity === 0 || (type !== "adjustment" && quantity < 0))
      throw validationError([
        { param: "quantity", message: "`quantity` debe ser mayor que 0 al entrar o salir, y no 0 al ajustar." },
      ]);
    const { body: product } = await context.api.get(`/products/${product_id}`);
    if (product.has_variants) throw new ApiError("VARIANT_STOCK_UNSUPPORTED");
    if (product.kind === "composite") throw new ApiError("COMPOSITE_STOCK_UNSUPPORTED");
    const delta = type === "out" ? -quantity : quantity;
    const after = product.stock + delta;
    const change = {
      ...{ tool: "adjust_stock", input, action: "assistant.stock_moved" as const },
      preview: {
        summary: `${product.name}: ${delta > 0 ? "+" : ""}${delta} ${product.base_unit}; de ${product.stock} a ${after}.`,
        ...{ product_id, stock_before: product.stock, stock_after: after },
        ...(after < 0 && { warnings: ["Las existencias quedan por debajo de cero."] }),
      },
      details: (movement: { id: string }) => ({ product_id, movement_id: movement.id, type, quantity }),
    };
    const result = await makeOnce(context, change, "/inventory/movements", { product_id, type, quantity, ...rest });
    if ("preview" in result) return result.preview;
    const { id, created_at, warehouse_id } = result.made;
    return { done: true, movement: { id, product_id, type, quantity, warehouse_id, created_at } };
  },
});
