import { resources } from "../../../business/registry.ts";
import { ofAllAccounts } from "../../../db/nodes.ts";
import type { Pool } from "../../../db/pool.ts";
import { prepared } from "../../../db/sql.ts";
import { day } from "../../../lib/clock.ts";

export const tombstoneLifeMs = 180 * day;

/** Records that registers receive and may delete. */
const tables = resources.filter(({ units, isDeletable }) => units && isDeletable).map(({ table }) => table);

/**
 * Removes expired tombstones from the feed, account by account, and raises the floor below which a cursor has missed one.
 * The rows stay: include_deleted still finds them, and once-only events stay recorded.
 */
export async function purgeTombstones(pool: Pool, now: Date): Promise<number> {
  const before = new Date(now.getTime() - tombstoneLifeMs);
  let purged = 0;
  for (const table of tables) {
    // One lookup per account in the index of tombstones; the rest of the table is not read.
    const rows = await ofAllAccounts(pool, async (part) => {
      const text = `select c.account_id as id from account_clock c where ${due(table)} and ${part.of("c.account_id", 2)}`;
      return (await pool.query<{ id: string }>(prepared(text, [before, ...part.values]))).rows;
    });
    for (const { id } of rows) {
      const { rows: gone } = await pool.query<{ count: number }>(prepared(purgeSql(table), [before, id]));
      purged += gone[0]!.count;
    }
  }
  return purged;
}

function due(table: string): string {
  return `exists (select from ${table} t where t.account_id = c.account_id and t.deleted_at < $1 and t.feed_seq is not null)`;
}

function purgeSql(table: string): string {
  return `
    with floor as (
      update account_clock set feed_floor = greatest(feed_floor, (
        select max(feed_seq) from ${table} where account_id = $2 and deleted_at < $1 and feed_seq is not null))
      where account_id = $2 returning account_id),
    gone as (
      update ${table} t set feed_seq = null from floor f
      where t.account_id = f.account_id and t.account_id = $2 and t.deleted_at < $1 and t.feed_seq is not null returning 1)
    select count(*) from gone`;
}
