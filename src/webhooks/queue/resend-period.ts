import { withAccountLock } from "../../access/accounts/account-lock.ts";
import { ofAllAccounts } from "../../db/nodes.ts";
import type { Client, Queryable } from "../../db/pool.ts";
import { oneRow } from "../../db/read.ts";
import { prepared, sql } from "../../db/sql.ts";
import type { CoreDeps } from "../../engine/deps.ts";
import { uuidv7 } from "../../lib/ids.ts";
import { requeue } from "./resend-delivery.ts";

/** Deliveries that ended without arriving. */
export const recoverableStates = ["failed", "dropped"] as const;
export type RecoverableState = (typeof recoverableStates)[number];

/** Each step is a transaction of its own: a large period does not block the account's writers, and a crash loses no step. */
const stepSize = 500;

export interface Period {
  accountId: string;
  endpointId: string;
  since: Date;
  until: Date;
  states: readonly RecoverableState[];
}

export interface Resend {
  id: string;
  since: Date;
  until: Date;
  total: number;
  resent: number;
  /** `stopped`: the endpoint or the plan ended meanwhile; `cancelled`: the owner stopped it. */
  state: "running" | "done" | "stopped" | "cancelled";
}

/** How many deliveries of a period did not arrive; the portal shows it before anyone confirms. */
export async function countRecoverable(
  db: Queryable,
  { accountId, endpointId, since, until }: Omit<Period, "states">,
): Promise<Record<RecoverableState, number>> {
  const { rows } = await db.query<Record<RecoverableState, number>>(sql`
    select count(*) filter (where state = 'failed') as failed, count(*) filter (where state = 'dropped') as dropped
    from webhook_deliveries
    where account_id = ${accountId} and endpoint_id = ${endpointId} and state in ('failed', 'dropped')
      and created_at >= ${since} and created_at < ${until}`);
  return oneRow(rows);
}

export async function startResend(client: Client, period: Period, now: Date): Promise<Resend> {
  const id = uuidv7(now);
  const counts = await countRecoverable(client, period);
  const { accountId, endpointId, since, until, states } = period;
  const total = states.reduce((sum, state) => sum + counts[state], 0);
  const { rows } = await client.query<Resend>(sql`
    insert into webhook_resends (account_id, id, endpoint_id, since, until, states, total, state, created_at)
    values (${accountId}, ${id}, ${endpointId}, ${since}, ${until}, ${[...states]}, ${total},
      ${total === 0 ? "done" : "running"}, ${now})
    returning id, since, until, total, resent, state`);
  return oneRow(rows);
}

export async function readResend(
  db: Queryable,
  accountId: string,
  endpointId: string,
  id: string,
): Promise<Resend | undefined> {
  const { rows } = await db.query<Resend>(sql`
    select id, since, until, total, resent, state from webhook_resends
    where account_id = ${accountId} and endpoint_id = ${endpointId} and id = ${id}`);
  return rows[0];
}

/** What was put back into the queue stays there; the rest is left as it is. */
export async function cancelResend(db: Queryable, accountId: string, endpointId: string, id: string): Promise<void> {
  await db.query(sql`
    update webhook_resends set state = 'cancelled'
    where account_id = ${accountId} and endpoint_id = ${endpointId} and id = ${id} and state = 'running'`);
}

/** Continues one resend until it is done. Two processes may try: the row's lock gives each step to one of them. */
export async function continueResend(
  deps: CoreDeps,
  accountId: string,
  id: string,
  isRunning: () => boolean = () => true,
): Promise<void> {
  while (isRunning()) {
    const endpoint = await withAccountLock(deps, accountId, (client, { recordsEvents }) =>
      step(deps, client, accountId, id, recordsEvents),
    );
    if (!endpoint) return;
    deps.deliveries?.announce([endpoint]);
  }
}

/** Continues the resends that a process left unfinished when it ended or lost its database. */
export async function continueResends(deps: CoreDeps, isRunning: () => boolean): Promise<void> {
  const rows = await ofAllAccounts(deps.pool, async (part) => {
    const text = `select account_id, id from webhook_resends where state = 'running' and ${part.of("account_id", 1)}`;
    return (await deps.pool.query<{ account_id: string; id: string }>(prepared(text, [...part.values]))).rows;
  });
  for (const { account_id, id } of rows) {
    // One that fails must not stop the others.
    await continueResend(deps, account_id, id, isRunning).catch((error: Error) =>
      deps.log.warn({ err: error, resend_id: id }, "a resend was interrupted"),
    );
  }
}

async function step(deps: CoreDeps, client: Client, accountId: string, id: string, hasPlan: boolean) {
  const { rows } = await client.query(sql`
    select r.endpoint_id, r.since, r.until, r.states, r.position_at, r.position_id, p.status
    from webhook_resends r left join webhook_endpoints p on p.account_id = r.account_id and p.id = r.endpoint_id
    where r.account_id = ${accountId} and r.id = ${id} and r.state = 'running' for update of r skip locked`);
  const resend = rows[0];
  if (!resend) return undefined;
  if (!hasPlan || (resend.status !== "active" && resend.status !== "paused")) {
    await client.query(
      sql`update webhook_resends set state = 'stopped' where account_id = ${accountId} and id = ${id}`,
    );
    return undefined;
  }
  // `<> 'delivered'` names the index's condition. A delivery that fails again during this resend lies behind the position, and is not picked up twice.
  const next = await client.query<{ id: string; created_at: Date }>(sql`
    select id, created_at from webhook_deliveries
    where account_id = ${accountId} and endpoint_id = ${resend.endpoint_id} and state <> 'delivered'
      and state = any(${resend.states}::text[]) and created_at >= ${resend.since} and created_at < ${resend.until}
      and (${resend.position_at}::timestamptz is null or (created_at, id) > (${resend.position_at}, ${resend.position_id}::uuid))
    order by created_at, id limit ${stepSize}`);
  const ids = next.rows.map((row) => row.id);
  const last = next.rows.at(-1);
  const moved = ids.length === 0 ? 0 : await requeue(client, accountId, resend.endpoint_id, ids, deps.clock.now());
  await client.query(sql`
    update webhook_resends set resent = resent + ${moved}, state = ${ids.length < stepSize ? "done" : "running"},
      position_at = coalesce(${last?.created_at ?? null}, position_at), position_id = coalesce(${last?.id ?? null}::uuid, position_id)
    where account_id = ${accountId} and id = ${id}`);
  return { accountId, endpointId: resend.endpoint_id as string };
}
