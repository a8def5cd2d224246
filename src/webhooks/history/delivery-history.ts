import type { Queryable } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import { deliveryRetentionDays } from "../../engine/deliveries/retention.ts";
import { day } from "../../lib/clock.ts";
import type { Position } from "../../lib/cursor.ts";
import { timeOfUuidv7 } from "../../lib/ids.ts";
import { type FailureClass, hintFor } from "../sending/failure-classes.ts";

export const deliveryStates = ["pending", "delivered", "failed", "dropped"] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** A delivery as the portal shows it. */
export interface Delivery {
  id: string;
  endpoint_id: string;
  event_id: string;
  event_type: string;
  /** Sent from the portal: webhook.test, or the example of another type. */
  is_test: boolean;
  state: DeliveryState;
  created_at: Date;
  attempts: (Attempt & { hint: string | null })[];
  next_attempt_at: Date | null;
}

/** An attempt as the history keeps it. */
export interface Attempt {
  at: string;
  duration_ms: number;
  status: number | null;
  failure: FailureClass | null;
  remote_address: string | null;
  /** The time in its signature, where the installation's clock was ahead of the world's. */
  signed_at?: string;
}

export interface HistoryQuery {
  accountId: string;
  endpointId: string;
  state?: DeliveryState | undefined;
  type?: string | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
  /** A delivery id or an event id: both carry the row's creation time. */
  search?: string | undefined;
  limit: number;
  after?: Position | undefined;
}

/** Queued and ended deliveries, newest first. */
export async function readHistory(db: Queryable, query: HistoryQuery, now: Date): Promise<Delivery[]> {
  const { accountId, endpointId, state, type, search, limit, after } = query;
  const found = search === undefined ? undefined : timeOfUuidv7(search);
  if (search !== undefined && found === undefined) return [];
  const oldest = new Date(now.getTime() - deliveryRetentionDays * day);
  const since = latest(oldest, query.since, found);
  const until = earliest(
    query.until,
    found && new Date(found.getTime() + 1),
    after && new Date(after.createdAt.getTime() + 1),
  );
  // One statement, so that a delivery that ends meanwhile is seen once. Each state is a part of its own, with its own index.
  const condition = search === undefined ? listCondition : searchCondition;
  const parts = deliveryStates
    .filter((each) => state === undefined || state === each)
    .map((each) => `(${sourceOf(each)} ${condition} order by created_at desc, id desc limit ${limit})`);
  const { rows } = await db.query<HistoryRow>({
    // Not prepared: only a plan made with the values skips the other days and uses the state's index.
    text: `select * from (${parts.join(" union all ")}) as found order by created_at desc, id desc limit ${limit}`,
    values: [
      accountId,
      endpointId,
      since,
      until ?? "infinity",
      type ?? null,
      after?.createdAt ?? null,
      after?.id ?? null,
      ...(search === undefined ? [] : [search]),
    ],
  });
  return rows.map(delivery);
}

function sourceOf(state: DeliveryState): string {
  return state === "pending"
    ? `select id, endpoint_id, event_id, event_type, is_test, 'pending' as state, created_at, attempts, due_at as next_attempt_at
       from webhook_queue where true`
    : `select id, endpoint_id, event_id, event_type, is_test, state, created_at, attempts, null::timestamptz as next_attempt_at
       from webhook_deliveries where state = '${state}'`;
}

const listCondition = `
  and account_id = $1 and endpoint_id = $2 and created_at >= $3 and created_at < $4
  and ($5::text is null or event_type = $5)
  and ($6::timestamptz is null or (created_at, id) < ($6, $7::uuid))`;
const searchCondition = `${listCondition} and $8::uuid in (id, event_id)`;

/** One delivery of the account, queued or ended. */
export async function findDelivery(db: Queryable, accountId: string, id: string): Promise<Delivery | undefined> {
  const createdAt = timeOfUuidv7(id);
  if (!createdAt) return undefined;
  const { rows } = await db.query<HistoryRow>(sql`
    select id, endpoint_id, event_id, event_type, is_test, 'pending' as state, created_at, attempts, due_at as next_attempt_at
    from webhook_queue where account_id = ${accountId} and id = ${id}
    union all
    select id, endpoint_id, event_id, event_type, is_test, state, created_at, attempts, null
    from webhook_deliveries where account_id = ${accountId} and created_at = ${createdAt} and id = ${id}`);
  return rows[0] && delivery(rows[0]);
}

type HistoryRow = Omit<Delivery, "attempts"> & { attempts: string };

function delivery({ attempts, ...row }: HistoryRow): Delivery {
  const stored = JSON.parse(attempts) as Attempt[];
  return {
    ...row,
    attempts: stored.map((attempt) => ({
      ...attempt,
      hint: attempt.failure === null ? null : hintFor(attempt.failure, attempt.status),
    })),
  };
}

function latest(...dates: (Date | undefined)[]): Date {
  return new Date(Math.max(...dates.flatMap((date) => (date ? [date.getTime()] : []))));
}

function earliest(...dates: (Date | undefined)[]): Date | undefined {
  const given = dates.flatMap((date) => (date ? [date.getTime()] : []));
  return given.length === 0 ? undefined : new Date(Math.min(...given));
}
