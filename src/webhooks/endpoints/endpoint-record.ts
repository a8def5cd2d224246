import type { Static } from "typebox";
import { constant, instant, nullable, oneOf, uuid } from "../../engine/resources/fields.ts";
import { Type } from "../../lib/schema.ts";

/** What an event tells of an endpoint. Its whole address is not in it: some carry a secret in their path. */
export const EndpointRecord = Type.Object(
  {
    object: constant("webhook_endpoint"),
    id: uuid(),
    name: nullable(Type.String({ description: "Cómo lo llamó el dueño." })),
    host: Type.String({ description: "El servidor de su dirección." }),
    status: oneOf(["active", "paused", "deactivated"], { description: "Cómo está al decirlo." }),
    consecutive_failures: Type.Integer({ minimum: 0, description: "Intentos fallidos seguidos, sin contar pruebas." }),
    failing_since: nullable(instant({ description: "Desde cuándo falla sin ninguna entrega; `null` si no falla." })),
    last_failure: Type.Unsafe<{ at: string; failure: string; status: number | null } | null>({
      type: ["object", "null"],
      description: "El último intento que falló.",
      required: ["at", "failure", "status"],
      properties: {
        at: instant({ description: "Cuándo." }),
        failure: Type.String({ description: "Por qué: `dns`, `connect`, `timeout`, `status`…" }),
        status: nullable(Type.Integer({ description: "El estado HTTP que respondió, si respondió." })),
      },
    }),
    version: Type.Integer({ minimum: 1, description: "Crece con cada aviso de este endpoint." }),
    created_at: instant({ description: "Cuándo se agregó." }),
    updated_at: instant({ description: "Cuándo ocurrió lo que se dice." }),
  },
  {
    $id: "webhook_endpoint",
    examples: [
      {
        object: "webhook_endpoint",
        id: "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c51",
        name: "Contabilidad",
        host: "tienda.com.co",
        status: "active",
        consecutive_failures: 14,
        failing_since: "2026-09-28T06:40:12.001Z",
        last_failure: { at: "2026-09-28T19:05:09.000Z", failure: "status", status: 503 },
        version: 1,
        created_at: "2026-08-01T15:00:00.000Z",
        updated_at: "2026-09-28T19:05:09.120Z",
      },
    ],
  },
);
export type EndpointRecord = Static<typeof EndpointRecord>;
