import type { Deps } from "../../../deps.ts";
import { eventRetentionDays, eventTypes } from "../../../engine/events/event-types.ts";
import { ById, createdWindow, oneOf, page, uuid } from "../../../engine/resources/fields.ts";
import { day } from "../../../lib/clock.ts";
import { ApiError } from "../../../lib/errors.ts";
import { Type } from "../../../lib/schema.ts";
import type { TypedApp } from "../../public/public-app.ts";
import type { Answers } from "../answers.ts";
import { paged } from "../tables/paging.ts";
import { findEvent, readEventDeliveries, readEvents } from "./events.ts";

const EventQuery = Type.Object(
  { ...page, ...createdWindow, type: Type.Optional(oneOf(eventTypes)), q: Type.Optional(uuid()) },
  { additionalProperties: false },
);

/** The event log as the owner reads it: each event with the endpoints it was delivered to. */
export function eventRoutes(app: TypedApp, deps: Deps): void {
  app.get(
    "/events",
    { config: { right: "developers:read" }, schema: { querystring: EventQuery } },
    async ({ session: { accountId }, query }): Promise<Answers["GET /events"]> => {
      const { type, q, created_since = "", created_until: createdUntil } = query;
      const oldest = oldestReadable();
      const since = new Date(Math.max(oldest.getTime(), Date.parse(created_since) || 0));
      const filters = { type, id: q?.toLowerCase(), createdUntil, since };
      const list = await paged(deps, { route: "events", accountId, query }, (limit, after) =>
        readEvents(deps.pool, accountId, filters, limit, after),
      );
      const deliveries = await readEventDeliveries(deps.pool, accountId, list.data);
      return {
        ...list,
        data: list.data.map((event) => ({ ...event, deliveries: deliveries.get(event.id) ?? [] })),
      };
    },
  );

  app.get(
    "/events/:id",
    { config: { right: "developers:read" }, schema: { params: ById } },
    async ({ session: { accountId }, params }): Promise<Answers["GET /events/:id"]> => {
      const id = params.id.toLowerCase();
      const event = await findEvent(deps.pool, accountId, id, oldestReadable());
      if (!event) {
        throw new ApiError("NOT_FOUND", {
          param: "id",
          message: "No existe este evento en la cuenta, o ya pasaron sus 30 días.",
        });
      }
      const deliveries = await readEventDeliveries(deps.pool, accountId, [event]);
      return { ...event, body: JSON.parse(event.body), deliveries: deliveries.get(id) ?? [] };
    },
  );

  function oldestReadable(): Date {
    return new Date(deps.clock.now().getTime() - eventRetentionDays * day);
  }
}
