import type { Client } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";

/** What one batch did, and where the next one goes on; without a position nothing is left. */
export interface Batch {
  seen: number;
  changed: number;
  position: object | undefined;
  /** More may come, but not soon. */
  waits?: true;
}

/** Fills the next rows after a position, which is null at first; undefined when there are none at all. */
export type FillBatch = (client: Client, position: unknown) => Promise<Batch | undefined>;

/** Processes of the version before the migration may still be there, and do things in their own way. */
const appliedJustNow = (migration: string) => `exists (
  select from migrations m where m.name like '%${migration}%' and m.applied_at > now() - interval '1 hour')`;

/** They count sales by their own rule. */
export const upgradedJustNow = appliedJustNow("sums-of-sales");
/** They keep nothing of what sales cost. */
export const costsJustNow = appliedJustNow("costs-of-sales");
/** They write entries in the audit log without chaining them, and count repetitions in what an entry says for an hour. */
export const chainsJustNow = appliedJustNow("audit-chain");

const nil = "00000000-0000-0000-0000-000000000000";

/** The accounts in turn, for fills that go through one after another. */
export async function nextAccount(client: Client, after = nil): Promise<string | undefined> {
  const { rows } = await client.query<{ id: string }>(
    sql`select id from accounts where id > ${after} order by id limit 1`,
  );
  return rows[0]?.id;
}
