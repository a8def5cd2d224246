import type { Client, Pool } from "../db/pool.ts";
import { sql } from "../db/sql.ts";
import { transaction } from "../db/transaction.ts";

export class UnknownAccountError extends Error {}

/**
 * A change beside the business's records (its endpoints, its plan) made while no write of the account is under way: the
 * account's clock is held, but does not move.
 */
export async function holdingAccount<T>(
  deps: { pool: Pool },
  accountId: string,
  work: (client: Client, account: { recordsEvents: boolean }) => Promise<T>,
): Promise<T> {
  return transaction(deps.pool, async (client) => {
    const { rows } = await client.query<{ records_events: boolean }>(
      sql`select records_events from account_clock where account_id = ${accountId} for update`,
    );
    if (!rows[0]) throw new UnknownAccountError(accountId);
    return work(client, { recordsEvents: rows[0].records_events });
  });
}
