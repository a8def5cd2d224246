import type { QueryResult } from "pg";
import type { Client } from "../../db/pool.ts";
import { prepared, type Statement, sql } from "../../db/sql.ts";
import { inOnePacket } from "../../db/transaction.ts";
import { day, minute } from "../../lib/clock.ts";
import { addToHours, hourOf } from "./hourly-counts.ts";
import { deliveryRetentionDays } from "./retention.ts";

/**
 * Drops the pending deliveries of one endpoint, or of all endpoints of an account; the caller holds the account's clock.
 * A delivery that is being sent ends with that attempt: see record-results.ts. `inFlightToo` drops leased deliveries as
 * well: when an endpoint is reactivated, those left by a crash must not be sent any more.
 */
export async function dropPending(
  client: Client,
  accountId: string,
  options: { endpointId?: string; now: Date; inFlightToo?: boolean },
): Promise<number> {
  const { endpointId = null, now, inFlightToo = false } = options;
  const lock = sql`
    select 1 from webhook_endpoints where account_id = ${accountId} and (${endpointId}::uuid is null or id = ${endpointId})
    order by id for update`;
  return dropLocked(client, lock, () => ({ accountId, endpointId, now, inFlightToo, testsToo: true }));
}

export interface Drop {
  accountId: string;
  /** Null: of all endpoints of the account. */
  endpointId: string | null;
  now: Date;
  inFlightToo: boolean;
  testsToo: boolean;
}

/** Sends `lock`, and drops what `decide` makes of its rows: nothing, if that is undefined. Returns how many. */
export async function dropLocked(
  client: Client,
  lock: Statement,
  decide: (rows: unknown[]) => Drop | undefined,
): Promise<number> {
  const [locked, , clock] = await send(client, [
    lock,
    // A backlog may hold a million rows. Dropping them takes some 20 s, and the account's writers wait for it.
    prepared("set local statement_timeout = '120s'", []),
    prepared("select statement_timestamp() as now", []),
  ]);
  const drop = decide(locked!.rows);
  if (!drop) return 0;
  const [found, , , deleted] = await send(client, dropStatements(drop, clock!.rows[0].now));
  // A worker gave one back after the first statement, so the history may lack it. The code means that a lock was not available: try again.
  if (found!.rows[0].count !== deleted!.rowCount)
    throw Object.assign(new Error("a delivery was given back while others were dropped"), { code: "55P03" });
  return found!.rows[0].count;
}

function send(client: Client, statements: readonly Statement[]): Promise<QueryResult[]> {
  const patient = statements.map((statement) => ({ ...statement, query_timeout: 2.5 * minute }));
  return inOnePacket(client, () => Promise.all(patient.map((statement) => client.query(statement))));
}

/**
 * One statement per table, because a distributed table takes no insert as a part of another statement. The first locks the rows, and
 * all of them judge the leases by one instant, so that each finds the same.
 */
function dropStatements(drop: Drop, leasedBefore: Date): Statement[] {
  const { accountId, endpointId, now, inFlightToo, testsToo } = drop;
  const which = [accountId, endpointId, testsToo, inFlightToo ? null : leasedBefore];
  const oldest = new Date(now.getTime() - deliveryRetentionDays * day);
  return [
    prepared(lockText, which),
    prepared(countText, [...which, hourOf(now)]),
    prepared(archiveText, [...which, oldest]),
    prepared(deleteText, which),
  ];
}

const dropped = `
  q.account_id = $1 and ($2::uuid is null or q.endpoint_id = $2) and ($3::boolean or not q.is_test)
    and ($4::timestamptz is null or q.leased_until is null or q.leased_until < $4)`;

const lockText = `
  with locked as materialized (
    select 1 from webhook_queue q where ${dropped} order by q.endpoint_id, q.due_at, q.id for update)
  select count(*) from locked`;

const countText = addToHours(`(
    select q.account_id, q.endpoint_id, $5::timestamptz as hour, null::int as class, false as is_failure, true as is_drop
    from webhook_queue q where ${dropped} and not q.is_test) happened`);

/** Those past the history's retention are not kept. */
const archiveText = `
  insert into webhook_deliveries (account_id, created_at, id, endpoint_id, event_id, event_type, is_test, state, attempts, body)
  select q.account_id, q.created_at, q.id, q.endpoint_id, q.event_id, q.event_type, q.is_test, 'dropped', q.attempts, q.body
  from webhook_queue q where ${dropped} and q.created_at >= $5`;

const deleteText = `delete from webhook_queue q where ${dropped}`;
