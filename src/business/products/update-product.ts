import type { Loaded } from "../../engine/resources/resource.ts";
import type { Write } from "../../engine/writing/write.ts";
import { writeOwnFields } from "../../engine/writing/write-own-fields.ts";
import { validationError } from "../../lib/errors.ts";
import { addedTo } from "./added-to.ts";
import { barcodeOf } from "./barcodes.ts";
import { checkCodes, checkVariants } from "./check-codes.ts";
import type { ProductLedger } from "./ledger.ts";
import { productLookups } from "./lookups.ts";
import { changedPrices, contradictions } from "./prices.ts";
import { requireCategory } from "./require-category.ts";
import { codesOf, products } from "./resource.ts";
import type { Product, ProductChanges } from "./schema.ts";

/** Edits the fields that registers accept from the server. Stock, unit and kind belong to each register. */
export async function updateProduct(
  write: Write,
  current: Loaded<Product, ProductLedger>,
  changes: ProductChanges,
  lookups = productLookups(write),
): Promise<Product> {
  const prices = changedPrices(current.body, changes);
  const contradicted = contradictions(changes, prices);
  if (contradicted.length > 0) throw validationError(contradicted);
  await lookups.requireDevices();
  const category = changes.category_id ? { category_id: await requireCategory(write, changes.category_id) } : {};
  const own = await writeOwnFields(write, products, current.body, changes);
  const updated_at = write.at.toISOString();
  const barcodes = changes.barcodes?.map(barcodeOf) ?? current.body.barcodes ?? [];
  const body: Product = { ...current.body, ...changes, ...category, ...prices, barcodes, ...own, updated_at };
  checkVariants(body);
  // Two registers may have assigned one code while offline. That must not block edits of other fields.
  const added = addedTo(codesOf(current.body), codesOf(body));
  await checkCodes(lookups, body, added, (param) => param.split(".")[0]! in changes);
  write.put(products, { ...current, body });
  write.emit("product.updated", body);
  return body;
}
