import { recordClosing } from "../../access/accounts/closed-account.ts";
import type { Actor } from "../../access/accounts/record-audit.ts";
import { changeAccount } from "../../access/accounts/set-account.ts";
import type { Client } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";

/** Closes a business: its registers and keys stop at once, its sessions end, its data goes when the term is over. */
export async function closeAccount(
  client: Client,
  accountId: string,
  { now, days, actor }: { now: Date; days: number; actor: Actor },
): Promise<Date> {
  await changeAccount(client, accountId, { active: false }, { now, actor });
  await client.query(sql`delete from portal_sessions where account_id = ${accountId}`);
  return recordClosing(client, accountId, now, days);
}
