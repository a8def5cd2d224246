import { withAccountLock } from "../../../../access/accounts/account-lock.ts";
import { textArray } from "../../../../db/arrays.ts";
import type { Queryable } from "../../../../db/pool.ts";
import { sql } from "../../../../db/sql.ts";
import type { Deps } from "../../../../deps.ts";
import { ApiError } from "../../../../lib/errors.ts";
import { uuidv7 } from "../../../../lib/ids.ts";
import type { Plan, PlanRow } from "./plan-import.ts";
import { inBatches } from "./sheet.ts";

/** Rows of one page of the preview; some of them are applied in one write. */
export const chunkRows = 100;
const chunksPerInsert = 20;

/** A row that could no longer be applied, because something changed after the preview. */
export interface Failure {
  row: number;
  name: string;
  message: string;
}

export interface ImportSummary {
  rows: number;
  new: number;
  changed: number;
  unchanged: number;
  new_categories: string[];
  ignored_columns: string[];
  stock_ignored: number;
}

export interface Import {
  id: string;
  created_at: Date;
  file_name: string;
  summary: ImportSummary;
  chunks: number;
  applied_chunks: number;
  created_count: number;
  updated_count: number;
  failures: Failure[];
}

/** A row as the preview shows it. */
export type PreviewRow = Pick<PlanRow, "row" | "name" | "sku" | "action" | "changes">;

/** Keeps a plan until it is applied. The owner's earlier plans that nobody began to apply are forgotten. */
export async function storeImport(
  deps: Deps,
  accountId: string,
  plan: Plan,
  about: { file_name: string; rows: number; ignored_columns: string[] },
): Promise<Import> {
  const now = deps.clock.now();
  const id = uuidv7(now);
  const { file_name, ...counted } = about;
  const created = plan.rows.filter(({ action }) => action === "create").length;
  const summary: ImportSummary = {
    ...counted,
    new: created,
    changed: plan.rows.length - created,
    unchanged: plan.unchanged,
    new_categories: plan.newCategories,
    stock_ignored: plan.stockIgnored,
  };
  const chunks = inBatches(plan.rows, chunkRows);
  await withAccountLock(deps, accountId, async (client) => {
    await client.query(sql`
      with old as (delete from product_imports where account_id = ${accountId} and applied_chunks = 0 returning id)
      delete from product_import_chunks c using old where c.account_id = ${accountId} and c.import_id = old.id`);
    await client.query(sql`
      insert into product_imports (account_id, id, created_at, file_name, summary, chunks)
      values (${accountId}, ${id}, ${now}, ${file_name}, ${JSON.stringify(summary)}, ${chunks.length})`);
    for (let at = 0; at < chunks.length; at += chunksPerInsert) {
      const texts = chunks.slice(at, at + chunksPerInsert).map((chunk) => JSON.stringify(chunk));
      await client.query(sql`
        insert into product_import_chunks (account_id, import_id, position, rows)
        select ${accountId}::uuid, ${id}::uuid, ${at} + place - 1, part::json
        from unnest(${textArray(texts)}::text[]) with ordinality as t(part, place)`);
    }
  });
  return findImport(deps.pool, accountId, id);
}

export async function findImport(db: Queryable, accountId: string, id: string): Promise<Import> {
  const { rows } = await db.query<Omit<Import, "summary" | "failures"> & { summary: string; failures: string }>(sql`
    select id, created_at, file_name, summary, chunks, applied_chunks, created_count, updated_count, failures
    from product_imports where account_id = ${accountId} and id = ${id}`);
  const row = rows[0];
  if (!row)
    throw new ApiError("NOT_FOUND", {
      param: "id",
      message: "Esta importación ya no existe: se reemplazó por otra o pasaron sus 7 días. Suba el archivo de nuevo.",
    });
  return { ...row, summary: JSON.parse(row.summary), failures: JSON.parse(row.failures) };
}

/** The rows of some chunks, `to` not included; none behind the last one. */
export async function readChunks(
  db: Queryable,
  accountId: string,
  id: string,
  { from, to }: { from: number; to: number },
): Promise<PlanRow[]> {
  const { rows } = await db.query<{ rows: string }>(sql`
    select rows from product_import_chunks
    where account_id = ${accountId} and import_id = ${id} and position >= ${from} and position < ${to} order by position`);
  return rows.flatMap((chunk) => JSON.parse(chunk.rows) as PlanRow[]);
}
