import { sql } from "../../db/sql.ts";
import type { Loaded } from "../../engine/resources/resource.ts";
import type { Write } from "../../engine/writing/write.ts";
import { type FieldError, validationError } from "../../lib/errors.ts";
import { uuidv7 } from "../../lib/ids.ts";
import { lineText } from "../../lib/one-line.ts";
import { requireMovable } from "../inventory/create-movement.ts";
import type { ProductBarcode } from "../products/barcodes.ts";
import { products } from "../products/resource.ts";
import type { Product } from "../products/schema.ts";
import { baseMilli, grossOf, type LineInput } from "./amounts.ts";
import type { NewLine } from "./new-purchase.ts";
import { itemsOfSupplier, type SupplierItem } from "./supplier-items.ts";

type Reader = Pick<Write, "client" | "accountId" | "loadMany" | "at">;

interface Known {
  items: readonly SupplierItem[];
  /** The product that has a code. */
  holders: ReadonlyMap<string, string>;
  products: ReadonlyMap<string, Loaded<Product>>;
}

/** What every line of a request buys, or everything that is wrong with them. */
export async function findLines(write: Reader, supplierId: string, lines: readonly NewLine[]): Promise<LineInput[]> {
  const unclear = lines.flatMap((line, i) => oneName(line, `lines.${i}`));
  if (unclear.length > 0) throw validationError(unclear);
  const known = await lookUp(write, supplierId, lines);
  const errors: FieldError[] = [];
  const found = lines.flatMap((line, i) => {
    const read = readLine(write, line, known, `lines.${i}`);
    if ("errors" in read) {
      errors.push(...read.errors);
      return [];
    }
    return [read];
  });
  if (errors.length > 0) throw validationError(errors);
  return found;
}

const given = (code: string | undefined) => (code === undefined || lineText(code) === "" ? [] : [lineText(code)]);

function oneName({ product_id, sku, barcode, supplier_code }: NewLine, param: string): FieldError[] {
  const named = [product_id, ...given(sku), ...given(barcode)].filter((one) => one !== undefined);
  if (named.length === 1 || (named.length === 0 && given(supplier_code).length > 0)) return [];
  const message =
    named.length === 0
      ? "no dice qué producto es: envíe `product_id`, `sku`, `barcode` o un `supplier_code` ya comprado."
      : "nombra el producto de varias maneras: envíe `product_id`, `sku` o `barcode`, uno solo.";
  return [{ param, message: `\`${param}\` ${message}` }];
}

async function lookUp(write: Reader, supplierId: string, lines: readonly NewLine[]): Promise<Known> {
  const codes = lines.flatMap(({ sku, barcode }) => given(sku ?? barcode));
  const holders = await holdersOf(write, codes);
  const direct = lines.flatMap(({ product_id, sku, barcode }) =>
    product_id !== undefined
      ? [product_id.toLowerCase()]
      : given(sku ?? barcode).flatMap((code) => holders.get(code) ?? []),
  );
  const theirs = lines.flatMap(({ supplier_code }) => given(supplier_code));
  const items = await itemsOfSupplier(write, supplierId, { codes: theirs, productIds: direct });
  const ids = [...new Set([...direct, ...items.map(({ product_id }) => product_id)])];
  return { items, holders, products: await write.loadMany(products, ids) };
}

/** Codes are unique among the products that are not deleted. */
export async function holdersOf(
  { client, accountId }: Pick<Write, "client" | "accountId">,
  codes: readonly string[],
): Promise<Map<string, string>> {
  if (codes.length === 0) return new Map();
  const wanted = [...new Set(codes)];
  const { rows } = await client.query<{ id: string; codes: string[] }>(sql`
    select id, skus || barcodes as codes from products
    where account_id = ${accountId} and deleted_at is null
      and (skus && ${wanted}::text[] or (barcodes <> '{}' and barcodes && ${wanted}::text[]))`);
  return new Map(rows.flatMap(({ id, codes: own }) => own.map((code) => [code, id] as const)));
}

function readLine(write: Reader, line: NewLine, known: Known, param: string): LineInput | { errors: FieldError[] } {
  const [code] = given(line.sku ?? line.barcode);
  const [theirs] = given(line.supplier_code);
  const ofCode = known.items.find((item) => item.code === theirs && theirs !== undefined);
  const id = line.product_id?.toLowerCase() ?? (code === undefined ? ofCode?.product_id : known.holders.get(code));
  const product = id === undefined ? undefined : known.products.get(id)?.body;
  if (!product || product.deleted_at) return { errors: [unknown(line, param)] };
  const pack = product.barcodes?.find((one) => one.code === code && code !== undefined);
  const before = known.items.find(
    (item) => item.product_id === product.id && (theirs === undefined || item.code === theirs),
  );
  const made = lineOf(write, line, { product, pack, before, supplier_code: theirs ?? null });
  // Throws what has no stock of its own, with the house's code for it.
  requireMovable(product, Number(baseMilli(made)) / 1000, {
    product: `${param}.product_id`,
    quantity: `${param}.quantity`,
  });
  if (made.discount > grossOf(made))
    return {
      errors: [{ param: `${param}.discount`, message: `\`${param}.discount\` es mayor que el costo de la línea.` }],
    };
  return made;
}

function unknown({ product_id, sku, supplier_code }: NewLine, param: string): FieldError {
  const field = product_id !== undefined ? "product_id" : sku !== undefined ? "sku" : "barcode";
  const isTheirs = product_id === undefined && sku === undefined && supplier_code !== undefined;
  const name = isTheirs ? `${param}.supplier_code` : `${param}.${field}`;
  const message = isTheirs
    ? "no se le ha comprado con ese código. Diga también `product_id`, `sku` o `barcode`, una sola vez."
    : "no es de un producto de la cuenta.";
  return { param: name, message: `\`${name}\` ${message}` };
}

interface Found {
  product: Product;
  pack: ProductBarcode | undefined;
  /** How it came the last time. */
  before: SupplierItem | undefined;
  supplier_code: string | null;
}

function lineOf(write: Reader, line: NewLine, { product, pack, before, supplier_code }: Found): LineInput {
  const isBefore = before !== undefined && (line.unit === undefined || line.unit === before.unit);
  const factor = line.factor ?? (pack && pack.units !== 1 ? pack.units : isBefore ? before.factor : 1);
  const unit =
    line.unit || (pack && pack.units !== 1 ? (pack.name ?? `Caja x${pack.units}`) : isBefore ? before.unit : "");
  return {
    id: uuidv7(write.at),
    product_id: product.id,
    variant_id: pack?.variant_id ?? null,
    supplier_code: supplier_code ?? (isBefore ? before.code : null),
    description: line.description || product.name,
    unit: unit || product.base_unit,
    factor,
    quantity: line.quantity,
    unit_cost: line.unit_cost,
    discount: line.discount ?? 0,
    weight: line.weight ?? null,
    taxes: (line.taxes ?? []).map(({ code, rate, amount }) => ({ code, rate: rate ?? null, amount })),
  };
}
