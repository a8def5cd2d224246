import type { Static } from "typebox";
import { eventTypes } from "../../engine/events/event-types.ts";
import { instant, oneOf } from "../../engine/resources/fields.ts";
import { Type } from "../../lib/schema.ts";
import type { Json } from "../api-calls.ts";
import { defineTool } from "../tool.ts";
import { defaultShown, limitField } from "./words.ts";

const Input = Type.Object(
  {
    types: Type.Optional(
      Type.Array(oneOf(eventTypes), {
        minItems: 1,
        maxItems: 20,
        description: "Solo estos tipos; por omisión, todos.",
      }),
    ),
    since: Type.Optional(instant({ description: "Desde este instante; la bitácora guarda 30 días." })),
    limit: limitField(50),
  },
  { additionalProperties: false },
);

export const recentEvents = defineTool({
  name: "recent_events",
  title: "Lo que ha pasado",
  description: "Los últimos eventos del negocio (ventas, documentos, turnos, clientes…), el más reciente primero.",
  scopes: ["events:read"],
  input: Input,
  async run({ types, since, limit = defaultShown }: Static<typeof Input>, { api }) {
    const { body } = await api.get("/events", { type: types?.join(","), created_since: since, limit });
    return { events: body.data.map(shortEvent), has_more: body.has_more };
  },
});

const told = ["id", "object", "name", "status", "total", "number", "prefix", "product_id", "quantity", "register_name"];

function shortEvent({ id, type, created_at, data: { object } }: Json): object {
  const known = told.filter((name) => object[name] !== undefined);
  return { id, type, created_at, object: Object.fromEntries(known.map((name) => [name, object[name]])) };
}
