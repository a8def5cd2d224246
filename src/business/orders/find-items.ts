import { sql } from "../../db/sql.ts";
import type { Loaded } from "../../engine/resources/resource.ts";
import type { Write } from "../../engine/writing/write.ts";
import { type FieldError, validationError } from "../../lib/errors.ts";
import { lineText } from "../../lib/one-line.ts";
import { isCountedUnit } from "../../taxes/units.ts";
import type { ProductBarcode } from "../products/barcodes.ts";
import { products } from "../products/resource.ts";
import type { Product, ProductVariant } from "../products/schema.ts";
import type { NewItem } from "./new-order.ts";

/** What an item of a request means: a product, maybe a variant or a pack of it. */
export interface FoundItem {
  item: NewItem;
  product: Product;
  variant: ProductVariant | undefined;
  pack: ProductBarcode | undefined;
  /** In units of the product. */
  quantity: number;
}

type Reader = Pick<Write, "client" | "accountId" | "loadMany">;

/** Finds what every item means, or throws with everything that is wrong with them. */
export async function findItems(write: Reader, items: readonly NewItem[]): Promise<FoundItem[]> {
  const errors: FieldError[] = items.flatMap((item, i) => oneName(item, `items.${i}`));
  if (errors.length > 0) throw validationError(errors);
  const codes = items.flatMap(({ sku, barcode }) => codeOf(sku ?? barcode));
  const holders = await holdersOf(write, codes);
  const ids = items.flatMap(
    ({ product_id, sku, barcode }) => product_id ?? holders.get(codeOf(sku ?? barcode)[0] ?? "") ?? [],
  );
  const found = await write.loadMany(products, ids);
  const read = items.map((item, i) => {
    const [code] = codeOf(item.sku ?? item.barcode);
    const id = item.product_id ?? (code === undefined ? undefined : holders.get(code));
    const named = id === undefined ? undefined : found.get(id.toLowerCase());
    return readItem(item, named, code, `items.${i}`);
  });
  const wrong = read.flatMap((one) => ("errors" in one ? one.errors : []));
  if (wrong.length > 0) throw validationError(wrong);
  return read.flatMap((one) => ("errors" in one ? [] : [one]));
}

const codeOf = (code: string | undefined) => (code === undefined || lineText(code) === "" ? [] : [lineText(code)]);

function oneName({ product_id, sku, barcode }: NewItem, param: string): FieldError[] {
  const named = [product_id, ...codeOf(sku), ...codeOf(barcode)].filter((one) => one !== undefined);
  if (named.length === 1) return [];
  const message = named.length === 0 ? "no dice qué producto es" : "nombra el producto de varias maneras";
  return [{ param, message: `\`${param}\` ${message}: envíe \`product_id\`, \`sku\` o \`barcode\`, uno solo.` }];
}

/** Codes are unique among the products that are not deleted. */
async function holdersOf({ client, accountId }: Reader, codes: readonly string[]): Promise<Map<string, string>> {
  if (codes.length === 0) return new Map();
  const { rows } = await client.query<{ id: string; codes: string[] }>(sql`
    select id, skus || barcodes as codes from products
    where account_id = ${accountId} and deleted_at is null
      and (skus && ${[...new Set(codes)]}::text[] or (barcodes <> '{}' and barcodes && ${[...new Set(codes)]}::text[]))`);
  return new Map(rows.flatMap(({ id, codes: own }) => own.map((code) => [code, id] as const)));
}

function readItem(
  item: NewItem,
  loaded: Loaded<Product> | undefined,
  code: string | undefined,
  param: string,
): FoundItem | { errors: FieldError[] } {
  const name = `${param}.${item.product_id !== undefined ? "product_id" : item.sku !== undefined ? "sku" : "barcode"}`;
  const wrong = (at: string, message: string) => ({ errors: [{ param: at, message: `\`${at}\` ${message}` }] });
  if (!loaded || loaded.body.deleted_at) return wrong(name, "no es de un producto de la cuenta.");
  const product = loaded.body;
  if (!product.active || !product.sellable) return wrong(name, `es de «${product.name}», que no está a la venta.`);
  const pack = product.barcodes?.find((one) => one.code === code);
  const ofCode =
    product.variants.find((one) => one.sku !== null && one.sku === code)?.id ?? pack?.variant_id ?? undefined;
  const variantId = item.variant_id?.toLowerCase() ?? ofCode;
  const variant = product.variants.find((one) => one.id === variantId && one.active && one.deleted_at === null);
  if (variantId !== undefined && !variant)
    return wrong(`${param}.variant_id`, `no es una variante de «${product.name}».`);
  if (product.variants.length > 0 && !variant)
    return wrong(`${param}.variant_id`, `falta: «${product.name}» se vende por variantes.`);
  const { quantity } = item;
  if (Math.abs(quantity * 1000 - Math.round(quantity * 1000)) > 1e-6)
    return wrong(`${param}.quantity`, "admite hasta tres decimales.");
  if ((isCountedUnit(product.base_unit) || (pack && pack.units !== 1)) && !Number.isInteger(quantity))
    return wrong(
      `${param}.quantity`,
      `debe ser un número entero: «${product.name}» se cuenta en \`${product.base_unit}\`.`,
    );
  return { item, product, variant, pack, quantity: Math.round(quantity * (pack?.units ?? 1) * 1000) / 1000 };
}
