import { createCategory } from "../../../../business/categories/operations.ts";
import { createProduct } from "../../../../business/inventory/create-product.ts";
import { findWarehouse } from "../../../../business/inventory/find-warehouse.ts";
import type { ProductLedger } from "../../../../business/products/ledger.ts";
import { lookUpTogether, type ProductLookups } from "../../../../business/products/lookups.ts";
import { products } from "../../../../business/products/resource.ts";
import type { Product, ProductChanges } from "../../../../business/products/schema.ts";
import { updateProduct } from "../../../../business/products/update-product.ts";
import { sql } from "../../../../db/sql.ts";
import type { ServedDeps } from "../../../../deps.ts";
import type { Loaded } from "../../../../engine/resources/resource.ts";
import { foldText } from "../../../../engine/search/search-text.ts";
import type { Write } from "../../../../engine/writing/write.ts";
import { writing } from "../../../../engine/writing/writing.ts";
import { ApiError } from "../../../../lib/errors.ts";
import { type PlanRow, readCategories } from "./plan-import.ts";
import { type Failure, findImport, type Import, readChunks } from "./stored-imports.ts";

type Categories = Awaited<ReturnType<typeof readCategories>>;

/** A write holds the account for some tenths of a second: registers that upload wait so long at most. */
const chunksPerWrite = 4;

/** A request works for about this long, so that its page can show the progress. */
const maxRequestMs = 800;

/** Where the first stock goes; undefined for the business's default. Fails where whoever applies it has none to use. */
type ChosenWarehouse = () => string | undefined;

/**
 * Applies an import from where it is. Each chunk is one write that also moves the place: a request that is repeated, or two at
 * once, continue behind what is done.
 */
export async function applyImport(
  deps: ServedDeps,
  { accountId, id, warehouseId }: { accountId: string; id: string; warehouseId: ChosenWarehouse },
  requestId: string,
): Promise<Import> {
  const startedAt = performance.now();
  let state = await findImport(deps.pool, accountId, id);
  const { new_categories } = state.summary;
  if (state.applied_chunks === 0 && new_categories.length > 0)
    await writing(deps, accountId, (write) => createCategories(write, new_categories), requestId);
  while (state.applied_chunks < state.chunks && performance.now() - startedAt < maxRequestMs)
    state = await writing(deps, accountId, (write) => applyNextChunks(write, id, warehouseId), requestId);
  return state;
}

/** The account's clock is held: nobody else applies a chunk meanwhile. */
async function applyNextChunks(write: Write, id: string, chosen: ChosenWarehouse): Promise<Import> {
  const [state, categories] = await Promise.all([
    findImport(write.client, write.accountId, id),
    readCategories(write.client, write.accountId),
  ]);
  if (state.applied_chunks >= state.chunks) {
    write.discard();
    return state;
  }
  const next = Math.min(state.applied_chunks + chunksPerWrite, state.chunks);
  const rows = await readChunks(write.client, write.accountId, id, { from: state.applied_chunks, to: next });
  const ids = rows.flatMap((row) => (row.action === "update" ? row.id : []));
  const given = rows.flatMap(({ input, codes = [] }) => [
    ...codes,
    ...[input.sku ?? []].flat(),
    ...(input.barcodes ?? []).map(({ code }) => code),
  ]);
  const [current, lookups, warehouseId] = await Promise.all([
    write.loadMany(products, ids),
    lookUpTogether(write, given),
    rows.some(hasStock) ? findWarehouse(write, chosen()) : undefined,
  ]);
  const warehouse = warehouseId === undefined ? {} : { warehouse_id: warehouseId };
  const failures: Failure[] = [];
  const done = { create: 0, update: 0 };
  for (const row of rows) {
    try {
      await applyRow(write, row, { current, categories, lookups, warehouse });
      done[row.action] += 1;
    } catch (error) {
      // A register that is out of date concerns every row: the chunk waits until it is brought up to date.
      if (!(error instanceof ApiError) || error.code === "DEVICES_OUTDATED") throw error;
      failures.push({ row: row.row, name: row.name, message: error.message });
    }
  }
  const after: Import = {
    ...state,
    applied_chunks: next,
    created_count: state.created_count + done.create,
    updated_count: state.updated_count + done.update,
    failures: [...state.failures, ...failures],
  };
  write.addStatement(sql`
    update product_imports set applied_chunks = ${next}, created_count = ${after.created_count},
      updated_count = ${after.updated_count}, failures = ${JSON.stringify(after.failures)}
    where account_id = ${write.accountId} and id = ${id}`);
  return after;
}

/** What the rows of a chunk ask for, which is read for all of them at once. */
interface ForRows {
  current: ReadonlyMap<string, Loaded<Product, ProductLedger>>;
  categories: Categories;
  lookups: ProductLookups;
  warehouse: { warehouse_id?: string };
}

const hasStock = (row: PlanRow) => row.action === "create" && (row.input.initial_stock ?? 0) > 0;

async function applyRow(
  write: Write,
  row: PlanRow,
  { current, categories, lookups, warehouse }: ForRows,
): Promise<void> {
  const category_id = row.category === undefined ? undefined : categories.get(foldText(row.category))?.id;
  const category = category_id === undefined ? {} : { category_id };
  if (row.action === "create") {
    await createProduct(write, { ...row.input, ...category, ...(hasStock(row) && warehouse) }, lookups);
    return;
  }
  const product = current.get(row.id);
  if (!product || product.body.deleted_at)
    throw new ApiError("NOT_FOUND", { message: "El producto se eliminó después de la vista previa." });
  const codes = row.codes === undefined ? {} : { barcodes: withCodes(product.body, row.codes) };
  await updateProduct(write, product, { ...row.input, ...category, ...codes }, lookups);
}

/** The codes that the product has by now, packs among them, and the file's. */
function withCodes({ barcodes = [] }: Product, codes: readonly string[]): NonNullable<ProductChanges["barcodes"]> {
  const held = barcodes.map(({ code, units, name, price, variant_id }) => ({
    code,
    units,
    ...(name !== null && { name }),
    ...(price !== null && { price }),
    ...(variant_id !== null && { variant_id }),
  }));
  const missing = codes.filter((code) => !barcodes.some((one) => one.code === code));
  return [...held, ...missing.map((code) => ({ code }))];
}

/** In a write of their own, before the products that name them. Those that exist by now are not made again. */
async function createCategories(write: Write, names: readonly string[]): Promise<void> {
  const known = await readCategories(write.client, write.accountId);
  const missing = names.filter((name) => !known.has(foldText(name)));
  if (missing.length === 0) write.discard();
  for (const name of missing) createCategory(write, { name });
}
