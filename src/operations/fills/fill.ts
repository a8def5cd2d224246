import type { Pool } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import { auditChainBatch } from "./audit-chain.ts";
import { type Batch, costsJustNow, type FillBatch, upgradedJustNow } from "./batch.ts";
import { cancellationBatch } from "./cancellations.ts";
import { noteBatch } from "./notes.ts";
import { tellRegistersApart } from "./register-names.ts";
import { saleCostBatch } from "./sale-costs.ts";
import { recountBatch } from "./sale-sums.ts";
import { reindexBatch } from "./search-keys.ts";

/** What migrations left to be filled, by the name in their row of `fills`. */
export const fills: Readonly<Record<string, FillBatch>> = {
  register_names: tellRegistersApart,
  search_keys: reindexBatch,
  sale_cancellations: cancellationBatch,
  sale_notes: noteBatch,
  sale_sums: recountBatch,
  sale_costs: saleCostBatch,
  audit_chain: auditChainBatch,
};

export interface Progress {
  seen: number;
  changed: number;
  isFinished: boolean;
  /** Nothing is left for now. */
  waits?: true;
}

/**
 * Does one batch in one transaction, with the position after it: it can be interrupted anywhere, and goes on in any process. Returns
 * undefined when nothing is left, and when another process is at it and this one may not wait.
 */
export async function fillOnce(pool: Pool, name: string, mayWait: boolean): Promise<Progress | undefined> {
  return transaction(pool, async (client) => {
    const { rows } = await client.query<{ position: string | null }>(
      `select position from fills where name = $1 and finished_at is null for update ${mayWait ? "" : "skip locked"}`,
      [name],
    );
    if (!rows[0]) return undefined;
    const batch = await fills[name]!(client, rows[0].position && JSON.parse(rows[0].position));
    const { seen, changed, position, waits }: Batch = batch ?? { seen: 0, changed: 0, position: undefined };
    const isFinished = position === undefined;
    const after = await client.query<{ seen: number; changed: number }>(sql`
      update fills set position = ${isFinished ? null : JSON.stringify(position)}, rows_seen = rows_seen + ${seen},
        rows_changed = rows_changed + ${changed}, finished_at = case when ${isFinished}::boolean then now() end
      where name = ${name} returning rows_seen as seen, rows_changed as changed`);
    return { ...after.rows[0]!, isFinished, ...(waits && { waits }) };
  });
}

/** Begins anew what has ended; what is under way goes on. */
export async function restartFill(pool: Pool, name: string): Promise<void> {
  await pool.query(sql`
    insert into fills (name) values (${name})
    on conflict (name) do update set position = null, rows_seen = 0, rows_changed = 0, finished_at = null
    where fills.finished_at is not null`);
}

/** Begins a fill anew and does all of it. */
export async function fillAtOnce(pool: Pool, name: string): Promise<Progress> {
  await restartFill(pool, name);
  let last: Progress = { seen: 0, changed: 0, isFinished: false };
  for (;;) {
    const progress = await fillOnce(pool, name, true);
    if (!progress) return last;
    last = progress;
  }
}

/** Processes of before still count by their own rule: sums are counted when they should be gone. `recount` does it at once. */
const afterUpgrade = `not (name = 'sale_sums' and ${upgradedJustNow}) and not (name = 'sale_costs' and ${costsJustNow})`;

export async function pendingFills(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select name from fills where finished_at is null and ${afterUpgrade} order by name`,
  );
  return rows.map(({ name }) => name).filter((name) => Object.hasOwn(fills, name));
}
