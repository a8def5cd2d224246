import { sql } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import type { CoreDeps } from "../../engine/deps.ts";
import { hour } from "../../lib/clock.ts";
import { recordRepeatedAudit } from "../accounts/record-repeated-audit.ts";

const action = "session.failed";
/** Beyond this, attempts from further addresses within the hour are counted in one entry without an address. */
const maxAddressesPerHour = 5;

/**
 * Records for the owner that somebody tried a wrong password. The response does not wait for it, because its duration would
 * reveal that the account exists.
 */
export function recordFailedSignIn(deps: CoreDeps, accountId: string, remoteAddress: string | null): void {
  record(deps, accountId, remoteAddress).catch((error: Error) =>
    deps.log.warn({ err: error, account_id: accountId }, "failed sign-in not written into the audit log"),
  );
}

async function record(deps: CoreDeps, accountId: string, remoteAddress: string | null): Promise<void> {
  const at = deps.clock.now();
  await transaction(deps.pool, async (client) => {
    await client.query(sql`select 1 from accounts where id = ${accountId} for no key update`);
    const { rows } = await client.query<{ remote_address: string | null }>(sql`
      select distinct remote_address from audit_log
      where account_id = ${accountId} and created_at > ${new Date(at.getTime() - hour)} and action = ${action}
        and remote_address is not null`);
    const hasOwnEntry = rows.length < maxAddressesPerHour || rows.some((row) => row.remote_address === remoteAddress);
    const actor = { kind: "stranger", sessionId: null, remoteAddress: hasOwnEntry ? remoteAddress : null } as const;
    await recordRepeatedAudit(client, { accountId, at, action, details: {}, actor });
  });
}
