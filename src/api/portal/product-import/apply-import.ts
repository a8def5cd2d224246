import { createCategory } from "../../../business/categories/operations.ts";
import { createProduct } from "../../../business/inventory/create-product.ts";
import type { ProductLedger } from "../../../business/products/ledger.ts";
import { products } from "../../../business/products/resource.ts";
import type { Product } from "../../../business/products/schema.ts";
import { updateProduct } from "../../../business/products/update-product.ts";
import { sql } from "../../../db/sql.ts";
import type { ServedDeps } from "../../../deps.ts";
import type { Loaded } from "../../../engine/resources/resource.ts";
import { foldText } from "../../../engine/search/search-text.ts";
import type { Write } from "../../../engine/writing/write.ts";
import { writing } from "../../../engine/writing/writing.ts";
import { ApiError } from "../../../lib/errors.ts";
import { type PlanRow, readCategories } from "./plan-import.ts";
import { type Failure, findImport, type Import, readChunk } from "./stored-imports.ts";

type Categories = Awaited<ReturnType<typeof readCategories>>;

/** A request works for about this long, so that its page can show the progress. */
const maxRequestMs = 800;

/**
 * Applies an import from where it is. Each chunk is one write that also moves the place: a request that is repeated, or two at
 * once, continue behind what is done.
 */
export async function applyImport(deps: ServedDeps, accountId: string, id: string, requestId: string): Promise<Import> {
  const startedAt = performance.now();
  let state = await findImport(deps.pool, accountId, id);
  const { new_categories } = state.summary;
  if (state.applied_chunks === 0 && new_categories.length > 0)
    await writing(deps, accountId, (write) => createCategories(write, new_categories), requestId);
  while (state.applied_chunks < state.chunks && performance.now() - startedAt < maxRequestMs) {
    await writing(deps, accountId, (write) => applyNextChunk(write, id), requestId);
    state = await findImport(deps.pool, accountId, id);
  }
  return state;
}

/** The account's clock is held: nobody else applies a chunk meanwhile. */
async function applyNextChunk(write: Write, id: string): Promise<void> {
  const state = await findImport(write.client, write.accountId, id);
  if (state.applied_chunks >= state.chunks) return write.discard();
  const rows = await readChunk(write.client, write.accountId, id, state.applied_chunks);
  const categories = await readCategories(write.client, write.accountId);
  const ids = rows.flatMap((row) => (row.action === "update" ? row.id : []));
  const current = await write.loadMany(products, ids);
  const failures: Failure[] = [];
  const done = { create: 0, update: 0 };
  for (const row of rows) {
    try {
      await applyRow(write, row, current, categories);
      done[row.action] += 1;
    } catch (error) {
      // A register that is out of date concerns every row: the chunk waits until it is brought up to date.
      if (!(error instanceof ApiError) || error.code === "DEVICES_OUTDATED") throw error;
      failures.push({ row: row.row, name: row.name, message: error.message });
    }
  }
  write.addStatement(sql`
    update product_imports set applied_chunks = applied_chunks + 1, created_count = created_count + ${done.create},
      updated_count = updated_count + ${done.update}, failures = ${JSON.stringify([...state.failures, ...failures])}
    where account_id = ${write.accountId} and id = ${id}`);
}

async function applyRow(
  write: Write,
  row: PlanRow,
  current: ReadonlyMap<string, Loaded<Product, ProductLedger>>,
  categories: Categories,
): Promise<void> {
  const category_id = row.category === undefined ? undefined : categories.get(foldText(row.category))?.id;
  const category = category_id === undefined ? {} : { category_id };
  if (row.action === "create") {
    await createProduct(write, { ...row.input, ...category });
    return;
  }
  const product = current.get(row.id);
  if (!product || product.body.deleted_at)
    throw new ApiError("NOT_FOUND", { message: "El producto se eliminó después de la vista previa." });
  await updateProduct(write, product, { ...row.input, ...category });
}

/** In a write of their own, before the products that name them. Those that exist by now are not made again. */
async function createCategories(write: Write, names: readonly string[]): Promise<void> {
  const known = await readCategories(write.client, write.accountId);
  const missing = names.filter((name) => !known.has(foldText(name)));
  if (missing.length === 0) write.discard();
  for (const name of missing) createCategory(write, { name });
}
