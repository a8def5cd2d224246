import { Type } from "typebox";
import { recordAudit } from "../accounts/record-audit.ts";
import { maxKeysPerAccount } from "../api-keys/create-key.ts";
import { revokeKey } from "../api-keys/revoke-key.ts";
import { scopes } from "../api-keys/scopes.ts";
import { sql } from "../db/sql.ts";
import type { Deps } from "../deps.ts";
import type { TypedApp } from "../http/public-app.ts";
import { ApiError, validationError } from "../lib/errors.ts";
import { ById, instant, label, nullable, oneOf } from "../resources/fields.ts";
import { tooManyKeys } from "./confirmable-actions.ts";
import { requestConfirmation } from "./confirmations.ts";
import { actorOf } from "./session-routes.ts";

const NewKey = Type.Object(
  {
    name: label(100),
    scopes: Type.Array(oneOf(scopes), { minItems: 1, uniqueItems: true }),
    expires_at: Type.Optional(nullable(instant())),
  },
  { additionalProperties: false },
);

export function keyRoutes(app: TypedApp, deps: Deps): void {
  app.get("/api-keys", async (request) => {
    const { rows } = await deps.pool.query(sql`
      select id, name, last_four, scopes, created_at, expires_at, revoked_at, last_used_at from api_keys
      where account_id = ${request.session.accountId} order by created_at, id`);
    return { object: "list", data: rows };
  });
  app.post("/api-keys", { schema: { body: NewKey } }, async (request, reply) => {
    const { name, scopes: granted, expires_at = null } = request.body;
    const now = deps.clock.now();
    if (expires_at !== null && new Date(expires_at) <= now)
      throw validationError([{ param: "expires_at", message: "`expires_at` debe ser un instante futuro." }]);
    const { rows } = await deps.pool.query<{ count: number }>(sql`
      select count(*) from api_keys where account_id = ${request.session.accountId} and revoked_at is null
        and (expires_at is null or expires_at > ${now})`);
    if (rows[0]!.count >= maxKeysPerAccount) throw tooManyKeys();
    return reply
      .code(202)
      .send(await requestConfirmation(deps, request.session, "api_key.create", { name, scopes: granted, expires_at }));
  });
  app.delete("/api-keys/:id", { schema: { params: ById } }, async (request, reply) => {
    const { accountId } = request.session;
    const { rowCount } = await deps.pool.query(
      sql`select 1 from api_keys where account_id = ${accountId} and id = ${request.params.id}`,
    );
    if (rowCount === 0) throw new ApiError("NOT_FOUND", { param: "id", message: "No existe esta clave en la cuenta." });
    await revokeKey(deps, request.params.id);
    deps.access.clear();
    await recordAudit(deps.pool, {
      accountId,
      at: deps.clock.now(),
      action: "api_key.revoked",
      details: { api_key_id: request.params.id },
      actor: actorOf(request),
    });
    return reply.code(204).send();
  });
}
