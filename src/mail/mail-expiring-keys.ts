import { awayAccounts } from "../db/nodes.ts";
import { sql } from "../db/sql.ts";
import { transaction } from "../db/transaction.ts";
import type { CoreDeps } from "../engine/deps.ts";
import { day, hour } from "../lib/clock.ts";
import { runEvery } from "../lib/run-every.ts";
import { queueMail } from "./queue-mail.ts";
import { keyExpiringMail } from "./templates.ts";

/** A week is enough to put another key into an integration. */
export const expiryNoticeDays = 7;
const batchSize = 100;

/** Mails the owners of keys that expire soon, once per expiry. Several processes may try: each key is taken by one of them. */
export async function mailExpiringKeys(deps: CoreDeps): Promise<number> {
  const now = deps.clock.now();
  await deps.partitions.ensure(now);
  const mailed = await transaction(deps.pool, async (client) => {
    const { rows } = await client.query<{
      account_id: string;
      name: string;
      last_four: string;
      expires_at: Date;
    }>(sql`
      update api_keys k set noticed_expiry = k.expires_at
      from (
        select id from api_keys
        where expires_at > ${now} and expires_at <= ${new Date(now.getTime() + expiryNoticeDays * day)} and revoked_at is null
          and noticed_expiry is distinct from expires_at and account_id <> all (${awayAccounts(deps.pool)}::uuid[])
        order by id limit ${batchSize} for update skip locked
      ) due
      where k.id = due.id
      returning k.account_id, k.name, k.last_four, k.expires_at`);
    for (const { account_id, name, last_four, expires_at } of rows) {
      const mail = keyExpiringMail(deps.config.publicUrl, { name, lastFour: last_four, expiresAt: expires_at });
      await queueMail(client, account_id, now, mail);
    }
    return rows.length;
  });
  if (mailed > 0) deps.mail?.emit();
  return mailed === batchSize ? mailed + (await mailExpiringKeys(deps)) : mailed;
}

/** The mail is sent days before the expiry: an hour more or less does not matter. */
export function startExpiryNotices(deps: CoreDeps): { stop: () => Promise<void> } {
  return runEvery(
    deps.clock,
    hour,
    () => mailExpiringKeys(deps),
    (error) => deps.log.warn({ err: error }, "expiring keys not announced; trying again in an hour"),
  );
}
