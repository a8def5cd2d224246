import type { Static } from "typebox";
import { eventTypes } from "../../engine/events/event-types.ts";
import { constant, createdWindow, instant, oneOf, page, uuid } from "../../engine/resources/fields.ts";
import { Type } from "../../lib/schema.ts";

/** Optional, because events from before it existed have none. */
const eventSequence = Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }));

export const Event = Type.Object(
  {
    object: constant("event"),
    id: uuid(),
    type: Type.String({ description: "Tipo del evento.", examples: [...eventTypes] }),
    created_at: instant(),
    sequence: eventSequence,
    data: Type.Object({
      object: Type.Object(
        {},
        { additionalProperties: true, description: "El recurso tal como estaba en ese momento." },
      ),
    }),
  },
  {
    $id: "event",
    examples: [
      {
        object: "event",
        id: "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c23",
        type: "customer.created",
        created_at: "2026-09-28T19:05:09.120Z",
        sequence: 1042,
        data: { object: { object: "customer", id: "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c11", name: "María Fernanda" } },
      },
    ],
  },
);
export type Event = Static<typeof Event>;

const known = [...eventTypes, "webhook.test"].map((type) => type.replaceAll(".", "\\.")).join("|");

export const EventQuery = Type.Object(
  {
    ...page,
    ...createdWindow,
    type: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1000,
        "x-documented": { pattern: `^\\s*(${known})\\s*(,\\s*(${known})\\s*){0,19}$` },
        description: "Un tipo de evento, o hasta 20 separados por comas.",
      }),
    ),
    order: Type.Optional(
      oneOf(["desc", "asc"], {
        default: "desc",
        description:
          "`asc` va del más antiguo al más nuevo y conserva `next_cursor` al final, para seguir la bitácora sin perder nada.",
      }),
    ),
  },
  { additionalProperties: false },
);
export type EventQuery = Static<typeof EventQuery>;
