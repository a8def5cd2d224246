import { sql } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import type { CoreDeps } from "../../engine/deps.ts";
import { hour } from "../../lib/clock.ts";
import { networkOf } from "../../lib/network-of.ts";
import { recordRepeatedAudit } from "../accounts/record-repeated-audit.ts";
import type { Access } from "./access-cache.ts";

const maxRemembered = 1_000;

/**
 * Tells the owner in the audit log that a key was used from where it may not be: at most once an hour for each network that this process
 * sees, however often it tries. The request log has every call.
 */
export function refusedAddresses(deps: CoreDeps): (access: Access, ip: string) => void {
  const told = new Map<string, number>();
  return (access, ip) => {
    const now = deps.clock.now();
    const name = `${access.keyId} ${networkOf(ip)}`;
    if (now.getTime() - (told.get(name) ?? 0) < hour) return;
    if (told.size >= maxRemembered) told.clear();
    told.set(name, now.getTime());
    record(deps, access, ip, now).catch((error: Error) =>
      deps.log.warn({ err: error, key_id: access.keyId }, "refused address not written into the audit log"),
    );
  };
}

async function record(deps: CoreDeps, { accountId, keyId }: Access, ip: string, at: Date): Promise<void> {
  await transaction(deps.pool, async (client) => {
    await client.query(sql`select 1 from accounts where id = ${accountId} for no key update`);
    const actor = { kind: "stranger", sessionId: null, remoteAddress: ip } as const;
    const details = { api_key_id: keyId };
    await recordRepeatedAudit(client, { accountId, at, action: "api_key.address_refused", details, actor });
  });
}
