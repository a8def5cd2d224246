import { Type } from "typebox";
import type { Queryable } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import type { Deps } from "../../deps.ts";
import { eventRetentionDays, eventTypes } from "../../engine/events/event-types.ts";
import { ById, createdWindow, oneOf, page, uuid } from "../../engine/resources/fields.ts";
import { day } from "../../lib/clock.ts";
import { ApiError } from "../../lib/errors.ts";
import { timeOfUuidv7 } from "../../lib/ids.ts";
import type { TypedApp } from "../public/public-app.ts";
import type { Answers, EventDelivery, ListedEvent } from "./answers.ts";
import { paged } from "./paging.ts";

const EventQuery = Type.Object(
  { ...page, ...createdWindow, type: Type.Optional(oneOf(eventTypes)), q: Type.Optional(uuid()) },
  { additionalProperties: false },
);

type EventRow = Omit<ListedEvent, "deliveries">;

/** The log as the owner reads it: each event with the endpoints it went to. */
export function eventRoutes(app: TypedApp, deps: Deps): void {
  app.get("/events", { schema: { querystring: EventQuery } }, async (request): Promise<Answers["GET /events"]> => {
    const { accountId } = request.session;
    const { type, q, created_since, created_until } = request.query;
    const oldest = oldestReadable();
    const found = q === undefined ? undefined : timeOfUuidv7(q.toLowerCase());
    const list = await paged(deps, { route: "events", accountId, query: request.query }, async (limit, after) => {
      if (q !== undefined && !found) return [];
      const since = [oldest, created_since && new Date(created_since), found].filter((one) => one instanceof Date);
      // Planned anew with the values, so that only the days of the window are looked at.
      const { rows } = await deps.pool.query<EventRow>({
        text: `select id, type, created_at from events
          where account_id = $1 and created_at >= $2 and created_at < $3
            ${type === undefined ? "and $4::text is null" : "and type = $4"}
            and ($5::uuid is null or id = $5) ${after ? "and (created_at, id) < ($6, $7)" : ""}
          order by created_at desc, id desc limit ${limit}`,
        values: [
          accountId,
          new Date(Math.max(...since.map((one) => one.getTime()))),
          found ? new Date(found.getTime() + 1) : (created_until ?? "infinity"),
          type ?? null,
          q ?? null,
          ...(after ? [after.createdAt, after.id] : []),
        ],
      });
      return rows;
    });
    const deliveries = await readDeliveries(deps.pool, accountId, list.data);
    return {
      ...list,
      data: list.data.map((event) => ({ ...event, deliveries: deliveries.get(event.id) ?? [] })),
    };
  });

  app.get("/events/:id", { schema: { params: ById } }, async (request): Promise<Answers["GET /events/:id"]> => {
    const { accountId } = request.session;
    const id = request.params.id.toLowerCase();
    const createdAt = timeOfUuidv7(id);
    const { rows } =
      createdAt && createdAt >= oldestReadable()
        ? await deps.pool.query<EventRow & { body: string }>(sql`
            select id, type, created_at, body from events
            where account_id = ${accountId} and created_at = ${createdAt} and id = ${id}`)
        : { rows: [] };
    const event = rows[0];
    if (!event) {
      throw new ApiError("NOT_FOUND", {
        param: "id",
        message: "No existe este evento en la cuenta, o ya pasaron sus 30 días.",
      });
    }
    const deliveries = await readDeliveries(deps.pool, accountId, [event]);
    const { body, ...row } = event;
    return { ...row, body: JSON.parse(body), deliveries: deliveries.get(id) ?? [] };
  });

  function oldestReadable(): Date {
    return new Date(deps.clock.now().getTime() - eventRetentionDays * day);
  }
}

/** A delivery has the instant of its event, so the history finds those of a page by its primary key. */
async function readDeliveries(
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
