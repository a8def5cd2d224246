import type { Write } from "../../engine/writing/write.ts";
import { writeOwnFields } from "../../engine/writing/write-own-fields.ts";
import { ApiError, type FieldError, validationError } from "../../lib/errors.ts";
import { uuidv7 } from "../../lib/ids.ts";
import { isCountedUnit } from "../../taxes/units.ts";
import { barcodeOf } from "../products/barcodes.ts";
import { checkCodes, checkVariants } from "../products/check-codes.ts";
import { newLedger } from "../products/ledger.ts";
import { lookUpTogether, type ProductLookups, productLookups } from "../products/lookups.ts";
import { contradictions, newPrices } from "../products/prices.ts";
import { requireCategory } from "../products/require-category.ts";
import { codesOf, products } from "../products/resource.ts";
import type { NewProduct, NewVariant, Product, ProductVariant } from "../products/schema.ts";
import { withLedger } from "../products/with-ledger.ts";
import { findWarehouse, placeOf } from "./find-warehouse.ts";
import { recordMovement } from "./record-movement.ts";

export async function createProduct(
  write: Write,
  input: NewProduct,
  lookups = productLookups(write),
): Promise<Product> {
  checkNew(input);
  const categoryId = input.category_id === undefined ? null : await requireCategory(write, input.category_id);
  const made = newProduct(write, input, categoryId);
  checkVariants(made);
  await checkCodes(lookups, made, codesOf(made));
  const stock = input.initial_stock ?? 0;
  if (stock > 0 && made.has_variants) throw new ApiError("VARIANT_STOCK_UNSUPPORTED", { param: "initial_stock" });
  const needsWarehouse = stock > 0 || input.warehouse_id !== undefined;
  const warehouseId = needsWarehouse ? await findWarehouse(write, input.warehouse_id) : null;
  const body: Product = { ...made, ...(await writeOwnFields(write, products, {}, input)) };

  const ledger = newLedger(input.unit_cost ?? 0);
  if (stock === 0) {
    const product = withLedger(body, ledger);
    write.put(products, { ...ledger, body: product });
    write.emit("product.created", product);
    return product;
  }
  // The product's event already includes the initial stock; the movement's own event follows it.
  const entry = {
    warehouse_id: warehouseId,
    ...(warehouseId !== null && { location_id: await placeOf(write, warehouseId) }),
    type: "in",
    quantity: stock,
    unit_cost: input.unit_cost ?? null,
    reason: "Inventario inicial",
    origin_type: "initial_stock",
  };
  const { product: stocked, emitCreated } = recordMovement(write, { body, ...ledger }, entry);
  write.emit("product.created", stocked.body);
  emitCreated();
  return stocked.body;
}

/** Many in one write: a code that one of them took is taken for those after it. */
export async function createProducts(
  write: Write,
  inputs: readonly NewProduct[],
): Promise<(input: NewProduct) => Promise<Product>> {
  const named = inputs.flatMap(({ sku, variants = [], barcodes = [] }) => [
    ...[sku, ...variants.map((variant) => variant.sku)].filter((code) => code !== undefined),
    ...barcodes.map(({ code }) => code),
  ]);
  const { taken, requireDevices } = await lookUpTogether(write, named);
  const given = new Set<string>();
  const lookups: ProductLookups = {
    taken: async (codes, ownId) => [...(await taken(codes, ownId)), ...codes.filter((code) => given.has(code))],
    requireDevices,
  };
  return async (input) => {
    const product = await createProduct(write, input, lookups);
    for (const code of codesOf(product)) given.add(code);
    return product;
  };
}

function newProduct(write: Write, input: NewProduct, categoryId: string | null): Product {
  const at = write.at.toISOString();
  const id = uuidv7(write.at);
  const images = input.images ?? [];
  const variants = newVariants(write, id, input.variants ?? []);
  return {
    object: "product",
    id,
    name: input.name,
    description: input.description ?? "",
    description_short: input.description_short ?? "",
    sku: input.sku ?? null,
    category_id: categoryId,
    kind: "simple",
    sellable: input.sellable ?? true,
    active: input.active ?? true,
    tax_class: input.tax_class ?? "standard",
    ...newPrices(input),
    base_unit: input.base_unit ?? "und",
    sold_by_weight: input.sold_by_weight ?? false,
    stock: variants.length > 0 ? null : 0,
    unit_cost: input.unit_cost ?? 0,
    image_url: images[0] ?? null,
    images,
    has_variants: variants.length > 0,
    variants,
    barcodes: (input.barcodes ?? []).map(barcodeOf),
    created_at: at,
    updated_at: at,
    deleted_at: null,
  };
}

/** Checks a new product for contradictions. One error response lists them all. */
function checkNew({ variants = [], ...input }: NewProduct): void {
  const priced = [["", input] as const, ...variants.map((variant, i) => [`variants.${i}.`, variant] as const)];
  const errors: FieldError[] = priced.flatMap(([place, sent]) => contradictions(sent, newPrices(sent), place));
  const defaults = variants.flatMap((variant, i) => (variant.is_default ? [i] : []));
  if (defaults.length > 1) {
    errors.push({
      param: `variants.${defaults[1]}.is_default`,
      message: "Solo una variante puede ser la predeterminada. Deje `is_default` en una sola.",
    });
  }
  const { base_unit, initial_stock } = input;
  if (isCountedUnit(base_unit ?? "und") && !Number.isInteger(initial_stock ?? 0)) {
    errors.push({
      param: "initial_stock",
      message: `\`initial_stock\` debe ser un número entero: el producto se cuenta en \`${base_unit ?? "und"}\`.`,
    });
  }
  if (errors.length > 0) throw validationError(errors);
}

function newVariants(write: Write, productId: string, inputs: readonly NewVariant[]): ProductVariant[] {
  const at = write.at.toISOString();
  const defaultIndex = Math.max(
    0,
    inputs.findIndex((input) => input.is_default),
  );
  return inputs.map((input, i) => ({
    object: "product_variant",
    id: uuidv7(write.at),
    product_id: productId,
    label: input.label,
    sku: input.sku ?? null,
    ...newPrices(input),
    images: input.images ?? [],
    is_default: i === defaultIndex,
    active: input.active ?? true,
    created_at: at,
    updated_at: at,
    deleted_at: null,
  }));
}
