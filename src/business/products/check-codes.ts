import { ApiError, validationError } from "../../lib/errors.ts";
import type { ProductLookups } from "./lookups.ts";
import { codesOf, skusOf } from "./resource.ts";
import type { Product } from "./schema.ts";

/**
 * A code, be it a SKU or one of the others, is unique among the account's products and variants that are not deleted. Only
 * the ones that a request sets are checked.
 */
export async function checkCodes(
  { taken }: Pick<ProductLookups, "taken">,
  product: Product,
  set: readonly string[],
): Promise<void> {
  const held = codesOf(product);
  const repeated = set.find((code) => held.indexOf(code) !== held.lastIndexOf(code));
  if (repeated !== undefined) throw codeTaken(product, repeated);
  if (set.length === 0) return;
  const [first] = await taken(set, product.id);
  if (first !== undefined) throw codeTaken(product, first);
}

/** A code names a variant of its own product, or none. */
export function checkVariants({ barcodes = [], variants }: Product): void {
  const errors = barcodes.flatMap(({ variant_id }, i) =>
    variant_id === null || variants.some(({ id }) => id === variant_id)
      ? []
      : [
          {
            param: `barcodes.${i}.variant_id`,
            message: "Este producto no tiene esa variante. Envíe el `id` de una de sus `variants`.",
          },
        ],
  );
  if (errors.length > 0) throw validationError(errors);
}

function codeTaken(product: Product, code: string): ApiError {
  const isSku = skusOf(product).includes(code);
  return new ApiError("SKU_ALREADY_EXISTS", {
    param: isSku ? "sku" : "barcodes",
    message: `El ${isSku ? "SKU" : "código"} "${code}" ya lo usa otro producto o variante de la cuenta. Use uno distinto o edite el producto que lo tiene.`,
  });
}
