import type { QueryResult } from "pg";
import { prepared, type Statement } from "../../db/sql.ts";
import type { NewEvent } from "../events/record-event.ts";
import type { Lane } from "./delivery-signal.ts";

/**
 * One delivery for each active endpoint that subscribes to the event, in the transaction that records it. The account's
 * clock is held, and whoever pauses, deactivates or takes the plan away waits for it: the rows are right.
 *
 * The delivery's id takes its first 48 bits and its version from the event's, so that both carry the same instant. It is
 * due at once: an account's clock stays ahead of a machine's that was set back, and its deliveries must not wait for that.
 */
export function fanOut(accountId: string, at: Date, now: Date, events: readonly NewEvent[]): Statement {
  const dueAt = now < at ? now : at;
  return prepared(fanOutText, [accountId, at, events.map(({ id }) => id), events.map(({ type }) => type), dueAt]);
}

const fanOutText = `
  insert into webhook_queue (account_id, endpoint_id, due_at, id, created_at, event_id, event_type)
  select $1::uuid, p.id, $5::timestamptz, (left(e.id::text, 15) || substr(gen_random_uuid()::text, 16))::uuid,
    $2::timestamptz, e.id, e.type
  from unnest($3::uuid[], $4::text[]) as e(id, type)
  join webhook_endpoints p on p.account_id = $1 and p.status = 'active' and e.type = any(p.event_types)
  returning account_id as lane_account_id, endpoint_id as lane_endpoint_id`;

/** The lanes that the statements of a write filled. */
export function lanesOf(results: readonly QueryResult[]): Lane[] {
  const lanes = new Map<string, Lane>();
  for (const { rows } of results) {
    for (const row of rows ?? []) {
      const { lane_account_id: accountId, lane_endpoint_id: endpointId } = row as Record<string, string | undefined>;
      if (accountId === undefined || endpointId === undefined) break;
      lanes.set(endpointId, { accountId, endpointId });
    }
  }
  return [...lanes.values()];
}
