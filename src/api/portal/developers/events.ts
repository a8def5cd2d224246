import type { Queryable } from "../../../db/pool.ts";
import { sql } from "../../../db/sql.ts";
import type { EventType } from "../../../engine/events/event-types.ts";
import type { Position } from "../../../lib/cursor.ts";
import { timeOfUuidv7 } from "../../../lib/ids.ts";
import type { Delivery } from "../../../webhooks/history/delivery-history.ts";

export interface EventRow {
  id: string;
  type: EventType;
  created_at: Date;
}

export interface EventFilters {
  type: EventType | undefined;
  id: string | undefined;
  createdUntil: string | undefined;
  /** Events before this instant are past their retention, or excluded by the caller. */
  since: Date;
}

/** Planned with the values known, so that only the partitions of the period are scanned. */
export async function readEvents(
  db: Queryable,
  accountId: string,
  { type, id, createdUntil, since }: EventFilters,
  limit: number,
  after: Position | undefined,
): Promise<EventRow[]> {
  const at = id === undefined ? undefined : timeOfUuidv7(id);
  if (id !== undefined && !at) return [];
  const { rows } = await db.query<EventRow>({
    text: `select id, type, created_at from events
      where account_id = $1 and created_at >= $2 and created_at < $3
        ${type === undefined ? "and $4::text is null" : "and type = $4"}
        and ($5::uuid is null or id = $5) ${after ? "and (created_at, id) < ($6, $7)" : ""}
      order by created_at desc, id desc limit ${limit}`,
    values: [
      accountId,
      at && at > since ? at : since,
      at ? new Date(at.getTime() + 1) : (createdUntil ?? "infinity"),
      type ?? null,
      id ?? null,
      ...(after ? [after.createdAt, after.id] : []),
    ],
  });
  return rows;
}

export async function findEvent(
  db: Queryable,
  accountId: string,
  id: string,
  since: Date,
): Promise<(EventRow & { body: string }) | undefined> {
  const createdAt = timeOfUuidv7(id);
  if (!createdAt || createdAt < since) return undefined;
  const { rows } = await db.query<EventRow & { body: string }>(sql`
    select id, type, created_at, body from events
    where account_id = ${accountId} and created_at = ${createdAt} and id = ${id}`);
  return rows[0];
}

export interface EventDelivery extends Pick<Delivery, "id" | "event_id" | "endpoint_id" | "state"> {
  /** Null once the endpoint was deleted. */
  url: string | null;
  attempts: number;
}

/** A delivery has the same created_at as its event, so those of a page are found by primary key. */
export async function readEventDeliveries(
  db: Queryable,
  accountId: string,
  events: readonly EventRow[],
): Promise<Map<string, EventDelivery[]>> {
  if (events.length === 0) return new Map();
  const ids = events.map(({ id }) => id);
  const times = events.map(({ created_at }) => created_at);
  const { rows } = await db.query<EventDelivery>({
    text: `
      select d.*, p.url from (
        select id, event_id, endpoint_id, state, json_array_length(attempts) as attempts from webhook_deliveries
        where account_id = $1 and created_at = any($2::timestamptz[]) and event_id = any($3::uuid[])
          and created_at >= $4 and created_at <= $5
        union all
        select id, event_id, endpoint_id, 'pending', json_array_length(attempts) from webhook_queue
        where account_id = $1 and event_id = any($3::uuid[])
      ) d left join webhook_endpoints p on p.account_id = $1 and p.id = d.endpoint_id
      order by d.endpoint_id`,
    values: [accountId, times, ids, times.at(-1), times[0]],
  });
  return Map.groupBy(rows, ({ event_id }) => event_id);
}
