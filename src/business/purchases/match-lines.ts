import type { Static } from "typebox";
import { line, optional, uuid } from "../../engine/resources/fields.ts";
import type { Loaded } from "../../engine/resources/resource.ts";
import type { Write } from "../../engine/writing/write.ts";
import { ApiError, referenceNotFound } from "../../lib/errors.ts";
import { Type } from "../../lib/schema.ts";
import { requireMovable } from "../inventory/create-movement.ts";
import { products } from "../products/resource.ts";
import { baseMilli } from "./amounts.ts";
import { maxLines } from "./new-purchase.ts";
import { again, computeLines } from "./operations.ts";
import { purchases } from "./resource.ts";
import type { Purchase } from "./schema.ts";
import { purchaseStates } from "./states.ts";
import { rememberItems } from "./supplier-items.ts";

export const Matches = Type.Object(
  {
    lines: Type.Array(
      Type.Object(
        {
          line_id: uuid(),
          product_id: uuid(),
          unit: optional(line(60)),
          factor: optional(Type.Number({ exclusiveMinimum: 0, maximum: 100_000, "x-max-decimals": 3 })),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: maxLines },
    ),
  },
  { additionalProperties: false },
);
export type Matches = Static<typeof Matches>;

/** Says what lines of an invoice are here, once: the next invoice of the supplier knows it. Its figures stay as they are. */
export async function matchLines(
  write: Write,
  { body: before }: Loaded<Purchase>,
  { lines: said }: Matches,
): Promise<Purchase> {
  if (!purchaseStates[before.status].isOpen)
    throw new ApiError("CONFLICT", { param: "id", message: `La compra ${before.number} ya se recibió y no cambia.` });
  const found = await write.loadMany(
    products,
    said.map(({ product_id }) => product_id),
  );
  const by = new Map(said.map((one, i) => [one.line_id.toLowerCase(), { ...one, param: `lines.${i}` }]));
  const [stranger] = [...by].filter(([id]) => before.lines.every((one) => one.id !== id));
  if (stranger) throw referenceNotFound(`${stranger[1].param}.line_id`, "una línea de esta compra");
  const inputs = before.lines.map((one) => {
    const match = by.get(one.id);
    if (!match) return one;
    const product = found.get(match.product_id.toLowerCase())?.body;
    if (!product || product.deleted_at) throw referenceNotFound(`${match.param}.product_id`, "un producto");
    const made = { ...one, product_id: product.id, unit: match.unit || one.unit, factor: match.factor ?? one.factor };
    requireMovable(product, Number(baseMilli(made)) / 1000, {
      product: `${match.param}.product_id`,
      quantity: `${match.param}.factor`,
    });
    return made;
  });
  const lines = await computeLines(write, again(inputs), before.charges);
  const body: Purchase = { ...before, lines, updated_at: write.at.toISOString() };
  write.put(purchases, { body });
  const named = lines.filter(({ id }) => by.has(id));
  for (const statement of rememberItems(write, { ...body, lines: named })) write.addStatement(statement);
  return body;
}
