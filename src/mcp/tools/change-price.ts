import type { Static } from "typebox";
import { price, uuid } from "../../engine/resources/fields.ts";
import { ApiError } from "../../lib/errors.ts";
import { Type } from "../../lib/schema.ts";
import type { Answer, Json } from "../api-calls.ts";
import { confirmationField, editOnce } from "../change.ts";
import { defineTool, type ToolContext } from "../tool.ts";
import { pesos } from "./words.ts";

const Input = Type.Object(
  {
    product_id: uuid({ description: "El producto; búsquelo con `find_product`." }),
    variant_id: Type.Optional(uuid({ description: "Solo esta variante del producto." })),
    price: price({ description: "El precio nuevo de venta, en pesos. El producto queda sin descuento propio." }),
    confirmation: confirmationField,
  },
  { additionalProperties: false },
);
type Input = Static<typeof Input>;

export const changePrice = defineTool({
  name: "change_price",
  title: "Cambiar un precio",
  description: "Cambia el precio de un producto o de una de sus variantes. Llega a todas las cajas.",
  scopes: ["products:read", "products:write"],
  writes: { destroys: true },
  input: Input,
  async run(input: Input, context) {
    const { product_id, variant_id, price: wanted } = input;
    const path = `/products/${product_id}`;
    const product = await context.api.get(path);
    const current = variant_id === undefined ? product : variantOf(product, variant_id);
    const before = pricesOf(current.body);
    const after = { base_price: wanted, final_price: wanted, percent_discount: 0 };
    const name = [product.body.name, current.body.label].filter(Boolean).join(" · ");
    const result = await editOnce(context, change(input, { name, before, after, unitCost: product.body.unit_cost }), {
      path: variant_id === undefined ? path : `${path}/variants/${variant_id}`,
      current,
      partOf: pricesOf,
      changes: after,
      read: () => read(context, path, variant_id),
    });
    if ("preview" in result) return result.preview;
    return { done: true, product_id, ...(variant_id && { variant_id }), name, prices: pricesOf(result.made) };
  },
});

interface Prices {
  base_price: number;
  final_price: number;
  percent_discount: number;
}

function pricesOf({ base_price, final_price, percent_discount }: Json): Prices & Record<string, unknown> {
  return { base_price, final_price, percent_discount };
}

async function read({ api }: ToolContext, path: string, variantId: string | undefined): Promise<Answer> {
  const product = await api.get(path);
  return variantId === undefined ? product : variantOf(product, variantId);
}

/** A variant has the ETag of its product. */
function variantOf({ body, etag }: Answer, id: string): Answer {
  const variant = body.variants.find((one: Json) => one.id === id);
  if (!variant)
    throw new ApiError("NOT_FOUND", {
      param: "variant_id",
      message: "El producto no tiene esta variante. Revísela con `find_product`.",
    });
  return { body: variant, etag };
}

function change(
  { confirmation, ...rest }: Input,
  { name, before, after, unitCost }: { name: string; before: Prices; after: Prices; unitCost: number },
) {
  const target = { product_id: rest.product_id, ...(rest.variant_id && { variant_id: rest.variant_id }) };
  const warnings = [
    ...(before.percent_discount > 0 ? [`Pierde su descuento de ${before.percent_discount} %.`] : []),
    ...(after.final_price < unitCost ? [`Queda por debajo de su costo, ${pesos(Math.round(unitCost))}.`] : []),
    ...(isFarFrom(before.final_price, after.final_price) ? ["Cambia a menos de la mitad o a más del doble."] : []),
  ];
  return {
    tool: "change_price",
    input: { ...rest, confirmation },
    action: "assistant.price_changed" as const,
    preview: {
      summary: `${name}: de ${pesos(before.final_price)} a ${pesos(after.final_price)}.`,
      ...target,
      ...{ before, after },
      ...(warnings.length > 0 && { warnings }),
    },
    details: () => ({ ...target, before, after }),
  };
}

function isFarFrom(before: number, after: number): boolean {
  return before > 0 && (after * 2 < before || after > before * 2);
}
