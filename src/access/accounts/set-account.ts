import type { Client, Pool } from "../../db/pool.ts";
import { oneRow } from "../../db/read.ts";
import { sql } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import { dropPending } from "../../engine/deliveries/drop-pending.ts";
import type { Clock } from "../../lib/clock.ts";
import { lockAccount } from "./account-lock.ts";
import { announceChange } from "./announce-change.ts";
import type { Plan } from "./create-account.ts";
import { type Actor, recordAudit, theOperator } from "./record-audit.ts";

export interface AccountChanges {
  plan?: Plan;
  active?: boolean;
  /** Whether its registers may mail tickets to buyers. */
  ticketMail?: boolean;
}

interface Set {
  plan: Plan;
  active: boolean;
  ticket_mail: boolean;
}

/** Changes plan or state under the account lock, so that a write in progress ends before events stop or start. */
export async function setAccount(
  deps: { pool: Pool; clock: Clock },
  id: string,
  changes: AccountChanges,
  actor: Actor = theOperator,
): Promise<{ id: string; plan: Plan; active: boolean; ticket_mail: boolean }> {
  return transaction(deps.pool, (client) => changeAccount(client, id, changes, { now: deps.clock.now(), actor }));
}

/** The same as a part of the caller's transaction. */
export async function changeAccount(
  client: Client,
  id: string,
  changes: AccountChanges,
  { now, actor }: { now: Date; actor: Actor },
): Promise<{ id: string; plan: Plan; active: boolean; ticket_mail: boolean }> {
  const before = await lockAccount(client, id);
  const asked = await client.query<Set>(sql`select plan, active, ticket_mail from accounts where id = ${id}`);
  const { rows } = await client.query(sql`
    update accounts set plan = coalesce(${changes.plan ?? null}, plan), active = coalesce(${changes.active ?? null}, active),
      ticket_mail = coalesce(${changes.ticketMail ?? null}, ticket_mail), updated_at = ${now}
    where id = ${id} returning id, plan, active, ticket_mail`);
  const account = rows[0];
  const records = account.plan === "pro" && account.active;
  await client.query(sql`update account_clock set records_events = ${records} where account_id = ${id}`);
  // Losing Pro discards what is pending. Regaining it discards what a crash left behind, which would arrive late.
  if (before.recordsEvents !== records) await dropPending(client, id, { now, inFlightToo: records });
  const { plan, active, ticket_mail } = account;
  const after = { plan, active, ticket_mail };
  const details = { ...after, before: oneRow(asked.rows), after };
  await recordAudit(client, { accountId: id, at: now, action: "account.set", details, actor });
  // Opened again before its term, nothing of it goes.
  if (changes.active) await client.query(sql`delete from closed_accounts where account_id = ${id} and gone_at is null`);
  await announceChange(client, "access");
  return account;
}
