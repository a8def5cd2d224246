import type { Client, Pool } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import type { TurnsByKey } from "../../lib/concurrency-limit.ts";

export class UnknownAccountError extends Error {}

/**
 * Changes something that is not a business record (an endpoint, the plan) while no write of the account is in progress:
 * the account's clock row is locked, but does not advance. Within this process, changes of one account queue in memory
 * instead of each holding a connection while it waits for the lock.
 */
export async function withAccountLock<T>(
  { pool, accountTurns }: { pool: Pool; accountTurns: TurnsByKey },
  accountId: string,
  work: (client: Client, account: { recordsEvents: boolean }) => Promise<T>,
): Promise<T> {
  return accountTurns(accountId, () =>
    transaction(pool, async (client) => work(client, await lockAccount(client, accountId))),
  );
}

/**
 * Locks the account's clock row until the transaction ends. By an update of nothing: on Citus, an account that was only read can
 * be moved to another node meanwhile, where nothing is locked.
 */
export async function lockAccount(client: Client, accountId: string): Promise<{ recordsEvents: boolean }> {
  const { rows } = await client.query<{ records_events: boolean }>(
    sql`update account_clock set seq = seq where account_id = ${accountId} returning records_events`,
  );
  if (!rows[0]) throw new UnknownAccountError(accountId);
  return { recordsEvents: rows[0].records_events };
}
