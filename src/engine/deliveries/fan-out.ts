import type { QueryResult } from "pg";
import { prepared, type Statement } from "../../db/sql.ts";
import type { NewEvent } from "../events/record-event.ts";
import type { EndpointKey } from "./delivery-signal.ts";

/**
 * Queues one delivery for each active endpoint that subscribes to the event, in the transaction that records it. That
 * transaction holds the account's clock, and so does every change of an endpoint's status or of the plan: the rows are
 * right.
 *
 * The delivery's id takes its first 48 bits and its version from the event's, so that both carry the same instant. It is
 * due at once: after a machine's clock was set back, an account's clock stays ahead of it, and deliveries must not wait
 * for the machine to catch up.
 */
export function fanOut(accountId: string, now: Date, events: readonly NewEvent[]): Statement {
  return prepared(fanOutText, [
    accountId,
    events.map(({ id }) => id),
    events.map(({ type }) => type),
    events.map(({ at }) => at),
    now,
  ]);
}

const fanOutText = `
  insert into webhook_queue (account_id, endpoint_id, due_at, id, created_at, event_id, event_type)
  select $1::uuid, p.id, least(e.at, $5::timestamptz), (left(e.id::text, 15) || substr(gen_random_uuid()::text, 16))::uuid,
    e.at, e.id, e.type
  from unnest($2::uuid[], $3::text[], $4::timestamptz[]) as e(id, type, at)
  join webhook_endpoints p on p.account_id = $1 and p.status = 'active' and e.type = any(p.event_types)
  returning account_id as queued_account_id, endpoint_id as queued_endpoint_id`;

/** The endpoints for which the statements of a write queued deliveries. */
export function queuedEndpoints(results: readonly QueryResult[]): EndpointKey[] {
  const endpoints = new Map<string, EndpointKey>();
  for (const { rows } of results) {
    for (const row of rows ?? []) {
      const { queued_account_id: accountId, queued_endpoint_id: endpointId } = row as Record<
        string,
        string | undefined
      >;
      if (accountId === undefined || endpointId === undefined) break;
      endpoints.set(endpointId, { accountId, endpointId });
    }
  }
  return [...endpoints.values()];
}
