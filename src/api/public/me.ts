import { sql } from "../../db/sql.ts";
import { constant, instant, NoQuery, nullable, oneOf, uuid } from "../../engine/resources/fields.ts";
import { scopes } from "../../engine/resources/scopes.ts";
import { Type } from "../../lib/schema.ts";
import { listTag } from "../http/etag.ts";
import { maxBatchItems } from "./batches.ts";
import { publicBodyLimitBytes } from "./body-limit.ts";
import type { TypedApp } from "./public-app.ts";
import { type ReadingDeps, sendTagged } from "./reading.ts";

const ApiKey = Type.Object(
  {
    object: constant("api_key"),
    id: uuid(),
    name: nullable(Type.String({ description: "Cómo se llama en el portal." })),
    environment: oneOf(["test", "live"], { description: "El ambiente de esta instalación y de la clave." }),
    scopes: Type.Array(oneOf(scopes), { description: "Sus permisos." }),
    expires_at: nullable(instant({ description: "Cuándo vence; `null` si no vence." })),
    account: Type.Object(
      {
        id: uuid({ description: "Identificador del negocio." }),
        name: Type.String({ description: "Nombre del negocio." }),
        plan: Type.String({ description: "Su plan." }),
      },
      { description: "El negocio al que pertenece." },
    ),
    limits: Type.Object(
      {
        requests_per_second: nullable(
          Type.Number({ description: "Solicitudes por segundo; `null` si no se limitan." }),
        ),
        burst: nullable(Type.Number({ description: "Solicitudes que caben de una vez; `null` si no se limitan." })),
        body_bytes: Type.Integer({ description: "Lo más que puede pesar un cuerpo." }),
        batch_items: Type.Integer({ description: "Los elementos que caben en un lote." }),
      },
      { description: "Lo que esta clave puede pedir." },
    ),
  },
  {
    $id: "api_key",
    examples: [
      {
        object: "api_key",
        id: "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c41",
        name: "Tienda en línea",
        environment: "test",
        scopes: ["products:read", "customers:write"],
        expires_at: null,
        account: { id: "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c42", name: "Tienda La Esquina", plan: "pro" },
        limits: { requests_per_second: 50, burst: 100, body_bytes: 262_144, batch_items: maxBatchItems },
      },
    ],
  },
);

/** What a key is and may do: the only route that every key may read. */
export function meRoutes(app: TypedApp, deps: ReadingDeps): void {
  const { environment, rateLimitPerSecond, rateLimitBurst } = deps.config;
  const isLimited = deps.keyLimiter !== undefined;
  const limits = {
    requests_per_second: isLimited ? rateLimitPerSecond : null,
    burst: isLimited ? rateLimitBurst : null,
    body_bytes: publicBodyLimitBytes,
    batch_items: maxBatchItems,
  };
  app.get(
    "/me",
    {
      config: { responseSchema: ApiKey },
      schema: { tags: ["Clave"], summary: "Leer la clave con que se pregunta", querystring: NoQuery },
    },
    async (request, reply) => {
      const { keyId, accountId, scopes: granted, expiresAt, plan } = request.access;
      const { rows } = await deps.pool.query<{ account: string; key: string | null }>(sql`
        select a.name as account, k.name as key from accounts a left join api_keys k on k.id = ${keyId}
        where a.id = ${accountId}`);
      const text = JSON.stringify({
        object: "api_key",
        id: keyId,
        name: rows[0]?.key ?? null,
        environment,
        scopes: [...granted],
        expires_at: expiresAt?.toISOString() ?? null,
        account: { id: accountId, name: rows[0]?.account ?? "", plan },
        limits,
      });
      return sendTagged(deps, request, reply, listTag([text]), text);
    },
  );
}
