import { sql } from "../../db/sql.ts";
import { eventRetentionDays, eventTypes } from "../../engine/events/event-types.ts";
import { ById, listOf, NoQuery } from "../../engine/resources/fields.ts";
import type { ListSpec } from "../../engine/resources/list-spec.ts";
import type { Condition } from "../../engine/resources/read-list.ts";
import { day } from "../../lib/clock.ts";
import { ApiError, validationError } from "../../lib/errors.ts";
import { timeOfUuidv7 } from "../../lib/ids.ts";
import { recordTag } from "../http/etag.ts";
import { Event, EventQuery } from "./event-schema.ts";
import type { TypedApp } from "./public-app.ts";
import { notFoundMessage, type ReadingDeps, sendList, sendTagged } from "./reading.ts";

const tags = ["Eventos"];

/** The log goes back exactly this far, even if older partitions still exist. */
function oldestReadable(now: Date): Date {
  return new Date(now.getTime() - eventRetentionDays * day);
}

export const eventList: ListSpec = {
  table: "events",
  conditions: (query: EventQuery, now) => [
    { sql: "created_at >= ?", values: [oldestReadable(now)] },
    ...(query.type === undefined ? [] : [typeIn(query.type)]),
  ],
  order: (query: EventQuery) => query.order ?? "desc",
};

export function eventRoutes(app: TypedApp, deps: ReadingDeps): void {
  app.get(
    "/events",
    {
      config: { permission: "events:read", responseSchema: listOf(Event) },
      schema: { tags, summary: "Listar eventos de los últimos 30 días", querystring: EventQuery },
    },
    (request, reply) => sendList(deps, request, reply, eventList),
  );
  app.get(
    "/events/:id",
    {
      config: { permission: "events:read", responseSchema: Event },
      schema: { tags, summary: "Leer un evento", params: ById, querystring: NoQuery },
    },
    async (request, reply) => {
      const { id } = request.params;
      const createdAt = timeOfUuidv7(id);
      const readable = createdAt && createdAt >= oldestReadable(deps.clock.now());
      const { rows } = readable
        ? await deps.pool.query<{ body: string; seq: number }>(sql`
            select body, seq from events
            where account_id = ${request.access.accountId} and created_at = ${createdAt} and id = ${id}`)
        : { rows: [] };
      if (!rows[0]) throw new ApiError("NOT_FOUND", { param: "id", message: notFoundMessage("un evento") });
      return sendTagged(deps, request, reply, recordTag(rows[0].seq), rows[0].body);
    },
  );
}

/** Rejects unknown types, which would silently match nothing. webhook.test is valid, but is never recorded. */
function typeIn(list: string): Condition {
  const types = list.split(",").map((type) => type.trim());
  const known: readonly string[] = [...eventTypes, "webhook.test"];
  const unknown = types.find((type) => !known.includes(type));
  if (types.length > 20 || unknown !== undefined) {
    const problem = types.length > 20 ? "admite hasta 20 tipos" : `no conoce el tipo \`${unknown}\``;
    throw validationError([
      {
        param: "type",
        message: `\`type\` ${problem}. Use uno o varios, separados por comas, de: ${eventTypes.join(", ")}.`,
      },
    ]);
  }
  return types.length === 1
    ? { sql: "type = ?", values: [types[0]] }
    : { sql: "type = any(?::text[])", values: [types], varies: true };
}
