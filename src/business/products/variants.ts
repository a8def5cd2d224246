import { uuid } from "../../engine/resources/fields.ts";
import type { Loaded } from "../../engine/resources/resource.ts";
import type { Write } from "../../engine/writing/write.ts";
import { ApiError, validationError } from "../../lib/errors.ts";
import { uuidv7 } from "../../lib/ids.ts";
import { Type } from "../../lib/schema.ts";
import { addedTo } from "./added-to.ts";
import { checkCodes } from "./check-codes.ts";
import type { ProductLedger } from "./ledger.ts";
import { productLookups } from "./lookups.ts";
import { changedPrices, contradictions, newPrices } from "./prices.ts";
import { codesOf, products } from "./resource.ts";
import { maxVariants, type NewVariant, type Product, type ProductVariant, type VariantChanges } from "./schema.ts";
import { withLedger } from "./with-ledger.ts";

export const ByVariant = Type.Object(
  {
    id: uuid({ description: "Identificador del producto." }),
    variant_id: uuid({ description: "Identificador de la variante." }),
  },
  { additionalProperties: false },
);

type Stored = Loaded<Product, ProductLedger>;

/** A product gets one more way to be sold. Registers must know changes of the server, as for every edit of a product. */
export async function createVariant(write: Write, current: Stored, input: NewVariant): Promise<ProductVariant> {
  const { variants } = current.body;
  const contradicted = contradictions(input, newPrices(input));
  if (contradicted.length > 0) throw validationError(contradicted);
  if (variants.length >= maxVariants)
    throw new ApiError("CONFLICT", {
      param: "variants",
      message: `Un producto tiene como máximo ${maxVariants} variantes. Elimine una que ya no venda.`,
    });
  // Its stock would be nobody's: variants have none of their own yet.
  if (variants.length === 0 && current.stock_milli !== 0)
    throw new ApiError("VARIANT_STOCK_UNSUPPORTED", { param: "id" });
  const at = write.at.toISOString();
  const made: ProductVariant = {
    object: "product_variant",
    id: uuidv7(write.at),
    product_id: current.body.id,
    label: input.label,
    sku: input.sku ?? null,
    ...newPrices(input),
    images: input.images ?? [],
    is_default: input.is_default ?? variants.length === 0,
    active: input.active ?? true,
    created_at: at,
    updated_at: at,
    deleted_at: null,
  };
  await storeVariants(write, current, [...variants, made], made);
  return made;
}

export async function updateVariant(
  write: Write,
  current: Stored,
  id: string,
  changes: VariantChanges,
): Promise<Product> {
  const before = variantOf(current.body, id);
  const prices = changedPrices(before, changes);
  const contradicted = contradictions(changes, prices);
  if (contradicted.length > 0) throw validationError(contradicted);
  const changed = { ...before, ...changes, ...prices };
  const isChanged = JSON.stringify(changed) !== JSON.stringify(before);
  const made = isChanged ? { ...changed, updated_at: write.at.toISOString() } : before;
  const variants = current.body.variants.map((one) => (one === before ? made : one));
  return storeVariants(write, current, variants, made);
}

/** The codes that meant it go with it. */
export async function deleteVariant(write: Write, current: Stored, id: string): Promise<Product> {
  const gone = variantOf(current.body, id);
  const variants = current.body.variants.filter((one) => one !== gone);
  return storeVariants(write, current, variants, undefined, gone.id);
}

export function variantOf({ variants }: Product, id: string): ProductVariant {
  const found = variants.find((one) => one.id === id.toLowerCase());
  if (found) return found;
  throw new ApiError("NOT_FOUND", {
    param: "variant_id",
    message: "Este producto no tiene esa variante. Use el `id` de una de sus `variants`.",
  });
}

async function storeVariants(
  write: Write,
  current: Stored,
  all: readonly ProductVariant[],
  made: ProductVariant | undefined,
  goneId?: string,
): Promise<Product> {
  const lookups = productLookups(write);
  await lookups.requireDevices();
  const updated_at = write.at.toISOString();
  // One of them is the default one; a new default takes it from the others.
  const variants = all.map((one) =>
    made?.is_default && one !== made && one.is_default ? { ...one, is_default: false, updated_at } : one,
  );
  const barcodes = (current.body.barcodes ?? []).filter((one) => goneId === undefined || one.variant_id !== goneId);
  const changed: Product = { ...current.body, variants, has_variants: variants.length > 0, barcodes, updated_at };
  const body = withLedger(changed, current);
  const place = made && `variants.${variants.indexOf(made)}.sku`;
  await checkCodes(lookups, body, addedTo(codesOf(current.body), codesOf(body)), (param) => param === place);
  write.put(products, { ...current, body });
  write.emit("product.updated", body);
  return body;
}
