import { requireDevices } from "../devices/require-devices.ts";
import { lessPercent, percentBelow } from "../lib/money.ts";
import type { Loaded } from "../resources/resource.ts";
import type { Write } from "../writing/writing.ts";
import { checkSkus } from "./check-skus.ts";
import type { ProductLedger } from "./ledger.ts";
import { requireCategory } from "./require-category.ts";
import type { Product, ProductChanges } from "./schema.ts";
import { products } from "./store.ts";

/** Edits what registers accept from afar: never stock, unit or kind, which each register keeps. */
export async function updateProduct(
  write: Write,
  current: Loaded<Product, ProductLedger>,
  changes: ProductChanges,
): Promise<Product> {
  await requireDevices(write, "product.remote_edit.1");
  const category = changes.category_id ? { category_id: await requireCategory(write, changes.category_id) } : {};
  if (changes.sku) await checkSkus(write, current.body.id, [changes.sku, ...variantSkus(current.body)]);
  const body: Product = {
    ...current.body,
    ...changes,
    ...category,
    ...changedPrices(current.body, changes),
    updated_at: write.at.toISOString(),
  };
  write.put(products, { ...current, body });
  write.emit("product.updated", body);
  return body;
}

function variantSkus(body: Product): string[] {
  return body.variants.flatMap((variant) => variant.sku ?? []);
}

/** A new list price alone is a new price without discount; otherwise price and discount follow each other. */
export function changedPrices(
  current: Pick<Product, "base_price" | "final_price" | "percent_discount">,
  {
    base_price,
    final_price,
    percent_discount,
  }: Pick<ProductChanges, "base_price" | "final_price" | "percent_discount">,
): Pick<Product, "base_price" | "final_price" | "percent_discount"> {
  const base = base_price ?? current.base_price;
  if (final_price !== undefined) {
    return { base_price: base, final_price, percent_discount: percent_discount ?? percentBelow(base, final_price) };
  }
  if (percent_discount !== undefined) {
    return { base_price: base, final_price: lessPercent(base, percent_discount), percent_discount };
  }
  if (base_price !== undefined) return { base_price, final_price: base_price, percent_discount: 0 };
  return { base_price: base, final_price: current.final_price, percent_discount: current.percent_discount };
}
