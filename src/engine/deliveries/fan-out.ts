import type { QueryResult } from "pg";
import { instantArray, plainArray } from "../../db/arrays.ts";
import { ofAccounts, prepared, type Statement, unnested } from "../../db/sql.ts";
import { must } from "../../lib/must.ts";
import { eventText, type NewEvent } from "../events/record-event.ts";
import { counterSource, isSameSource } from "../resources/sources.ts";
import type { EndpointKey, HandedDelivery, Room } from "./delivery-signal.ts";

/** Longer than a send and the recording of its result. After a crash, a delivery is free again within 25 s. */
export const leaseSeconds = 20;

/**
 * By how much the clocks of two processes may differ without changing the order of one record's deliveries: a delivery may be due that
 * much later than its writer's clock says, and is claimed that much earlier. An account's clock never goes back, so within this
 * span a delivery is due at its event's instant, which is later than those of all events before it.
 */
const clockSkewMs = 100;
export const clockSkew = `interval '${clockSkewMs} milliseconds'`;

/**
 * Queues one delivery for each active endpoint that subscribes to the event, in the transaction that records it. That
 * transaction holds the account's clock, and so does every change of an endpoint's status or of the plan: the rows are
 * right.
 *
 * The delivery's id takes its first 48 bits and its version from the event's, so that both carry the same instant; the rest
 * follows from the event and the endpoint, because a distributed table takes no random values. It is due at once: after a machine's clock was set back, an
 * account's clock stays ahead of it, and deliveries must not wait for the machine to catch up.
 *
 * The first deliveries of an endpoint, as many as the worker of this process has room for, are leased to it at once: it
 * gets them after COMMIT and need not claim them. An event that follows another of the same record closely is left to be claimed:
 * another process may still be sending the earlier one, and a claim looks at that.
 */
export function fanOut(parts: readonly FanOut[]): Statement {
  const events = parts.flatMap((part) => part.events);
  const rooms = parts.flatMap((part) => part.rooms);
  const room = [
    plainArray(rooms.map(({ endpointId }) => endpointId)),
    plainArray(rooms.map(({ size }) => size)),
    plainArray(rooms.map(({ version }) => version)),
  ];
  if (events.length === 1) {
    const { accountId, id, type, at, objectId, locationId, follows } = must(
      events[0],
      "A fan-out is of at least one event",
    );
    const [endpoints, ...rest] = room;
    return prepared(fanOutOfOneText, [
      accountId,
      id,
      type,
      at,
      latestDue(must(parts[0], "A fan-out is of at least one event")),
      follows ? plainArray([]) : endpoints,
      ...rest,
      objectId,
      locationId ?? null,
    ]);
  }
  const accounts = events.map(({ accountId }) => accountId);
  return prepared(fanOutText, [
    plainArray([...new Set(accounts)]),
    plainArray(accounts),
    plainArray(events.map(({ id }) => id)),
    plainArray(events.map(({ type }) => type)),
    instantArray(events.map(({ at }) => at)),
    instantArray(parts.flatMap(dueTimes)),
    plainArray(parts.flatMap(({ events: own }) => own.map(({ follows }, i) => (follows ? nowhere : i + 1)))),
    ...room,
    plainArray(events.map(({ objectId }) => objectId)),
    plainArray(events.map(({ locationId }) => locationId ?? null)),
  ]);
}

function dueTimes(part: FanOut): Date[] {
  const latest = latestDue(part).getTime();
  return part.events.map(({ at }) => new Date(Math.min(at.getTime(), latest)));
}

function latestDue({ now }: FanOut): Date {
  return new Date(now.getTime() + clockSkewMs);
}

/** A place for which no worker has room. */
const nowhere = 2 ** 31 - 1;

/** Events of one account, and the room for them. */
export interface FanOut {
  now: Date;
  events: readonly NewEvent[];
  rooms: readonly Room[];
}

/** A uuid as 32 digits: 12 of the time, the version, and 18 of the digest around that of the variant. */
const deliveryId = (
  eventId: string,
) => `overlay(overlay(left(encode(sha256(uuid_send(${eventId}) || uuid_send(p.id)), 'hex'), 32)
      placing left(encode(uuid_send(${eventId}), 'hex'), 13) from 1) placing '8' from 17)::uuid`;

const into = `
  insert into webhook_queue as q (account_id, endpoint_id, due_at, id, created_at, event_id, event_type, object_id, leased_until)`;
const leaseEnd = `statement_timestamp() + interval '${leaseSeconds} seconds'`;

const returning =
  "returning q.endpoint_id as queued_endpoint_id, q.id, q.due_at, q.event_id, q.leased_until is not null as leased";

const arrays = ["uuid", "uuid", "text", "timestamptz", "timestamptz", "int"].map((type, i) => `$${i + 2}::${type}[]`);

/** What belongs to no sede, such as a customer, goes to every endpoint that asked for it. */
const isOfItsSedes = (location: string) =>
  `(p.location_ids is null or ${location} is null or ${location} = any(p.location_ids))`;

/**
 * What an order's source is, also of the sale that it became; a sale of no order is of the counter. Looked up only for an endpoint that
 * asked for some sources; what is neither goes to every endpoint.
 */
const isOfItsSources = (type: string, object: string) => `
  (p.sources is null or ${type} !~ '^(order|sale)\\.' or exists (
    select from unnest(p.sources) as wanted(source) where ${isSameSource("wanted.source", sourceOf(object))}))`;

const sourceOf = (object: string) => `coalesce((
      select o.source from orders o where o.account_id = p.account_id and o.id = coalesce((
        select s.order_id from sales s where s.account_id = p.account_id and s.id = ${object}), ${object})), '${counterSource}')`;

const fanOutText = `${into}
  select p.account_id, p.id, e.due_at, ${deliveryId("e.id")}, e.at, e.id, e.type, e.object_id, case when e.place <= r.size then ${leaseEnd} end
  from webhook_endpoints p
  join ${unnested(...arrays, "$11::uuid[]", "$12::uuid[]")} as e(account_id, id, type, at, due_at, place, object_id, location_id)
    on e.account_id = p.account_id and e.type = any(p.event_types)
  left join ${unnested("$8::uuid[]", "$9::int[]", "$10::int[]")} as r(id, size, version) on r.id = p.id and r.version = p.version
  where ${ofAccounts("p")} and p.status = 'active' and p.id <> e.object_id and ${isOfItsSedes("e.location_id")} and ${isOfItsSources("e.type", "e.object_id")}
  ${returning}`;

/** The same for one event, as most writes emit. With arrays to unnest, PostgreSQL would plan it anew each time. */
const fanOutOfOneText = `${into}
  select p.account_id, p.id, least($4::timestamptz, $5::timestamptz), ${deliveryId("$2::uuid")}, $4::timestamptz, $2::uuid, $3::text,
    $9::uuid, case when ($7::int[])[r.place] >= 1 and ($8::int[])[r.place] = p.version then ${leaseEnd} end
  from webhook_endpoints p cross join lateral (select array_position($6::uuid[], p.id) as place) r
  where p.account_id = $1 and p.status = 'active' and $3::text = any(p.event_types) and p.id <> $9::uuid and ${isOfItsSedes("$10::uuid")}
    and ${isOfItsSources("$3::text", "$9::uuid")}
  ${returning}`;

interface QueuedRow {
  queued_endpoint_id: string;
  id: string;
  due_at: Date;
  event_id: string;
  leased: boolean;
}

/** What the statements of a batch have queued, by the id of the event. */
export type Queued = ReadonlyMap<string, readonly QueuedRow[]>;

export function queuedBy(results: readonly QueryResult[]): Queued {
  const rows = results.flatMap((result) => (isFanOut(result) ? (result.rows as QueuedRow[]) : []));
  return Map.groupBy(rows, (row) => row.event_id);
}

/** The deliveries of these events of an account: leased to the worker of this process, or for any worker to claim. */
export function queuedDeliveries(
  accountId: string,
  queued: Queued,
  events: readonly NewEvent[],
): { leased: HandedDelivery[]; free: EndpointKey[] } {
  const leased: HandedDelivery[] = [];
  const free = new Set<string>();
  for (const event of events) {
    for (const row of queued.get(event.id) ?? []) {
      if (row.leased) leased.push(handed(accountId, row, event));
      else free.add(row.queued_endpoint_id);
    }
  }
  return { leased, free: Array.from(free, (endpointId) => ({ accountId, endpointId })) };
}

function isFanOut({ fields }: QueryResult): boolean {
  return fields?.[0]?.name === "queued_endpoint_id";
}

function handed(accountId: string, row: QueuedRow, event: NewEvent): HandedDelivery {
  return {
    accountId,
    endpointId: row.queued_endpoint_id,
    id: row.id,
    dueAt: row.due_at,
    createdAt: event.at,
    eventId: event.id,
    eventType: event.type,
    objectId: event.objectId,
    requestId: event.requestId ?? null,
    eventText: eventText(event),
  };
}
