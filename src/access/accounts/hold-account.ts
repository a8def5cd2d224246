import type { Client, Pool } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import { concurrencyLimit } from "../../lib/concurrency-limit.ts";

export class UnknownAccountError extends Error {}

/**
 * A change beside the business's records (its endpoints, its plan) made while no write of the account is under way: the
 * account's clock is held, but does not move. Those of one account wait here for each other, not each on a connection of
 * its own for the clock: there would soon be none left for anybody else.
 */
export async function holdingAccount<T>(
  deps: { pool: Pool },
  accountId: string,
  work: (client: Client, account: { recordsEvents: boolean }) => Promise<T>,
): Promise<T> {
  return inTurn(deps.pool, accountId, () =>
    transaction(deps.pool, async (client) => {
      const { rows } = await client.query<{ records_events: boolean }>(
        sql`select records_events from account_clock where account_id = ${accountId} for update`,
      );
      if (!rows[0]) throw new UnknownAccountError(accountId);
      return work(client, { recordsEvents: rows[0].records_events });
    }),
  );
}

const turnsOf = new WeakMap<Pool, Map<string, { take: ReturnType<typeof concurrencyLimit>; users: number }>>();

async function inTurn<T>(pool: Pool, accountId: string, work: () => Promise<T>): Promise<T> {
  const ofPool = turnsOf.get(pool) ?? new Map();
  turnsOf.set(pool, ofPool);
  const turn = ofPool.get(accountId) ?? { take: concurrencyLimit(1), users: 0 };
  ofPool.set(accountId, turn);
  turn.users += 1;
  try {
    return await turn.take(work);
  } finally {
    turn.users -= 1;
    if (turn.users === 0) ofPool.delete(accountId);
  }
}
