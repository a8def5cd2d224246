import { requireKeysLeft } from "../../../access/api-keys/create-key.ts";
import { revokeKey } from "../../../access/api-keys/revoke-key.ts";
import { findRotatable, maxOverlapHours } from "../../../access/api-keys/rotate-key.ts";
import type { Deps } from "../../../deps.ts";
import { ById, instant, label, nullable, oneOf } from "../../../engine/resources/fields.ts";
import { scopes } from "../../../engine/resources/scopes.ts";
import { validationError } from "../../../lib/errors.ts";
import { Type } from "../../../lib/schema.ts";
import type { TypedApp } from "../../public/public-app.ts";
import type { Answers } from "../answers.ts";
import { limitingKeys } from "../settings/confirmable-actions.ts";
import { requestConfirmation } from "../settings/confirmations.ts";
import { actorOf } from "../settings/session-routes.ts";
import { listKeys, requireKey } from "./keys.ts";

const NewKey = Type.Object(
  {
    name: label(100),
    scopes: Type.Array(oneOf(scopes), { minItems: 1, uniqueItems: true }),
    expires_at: Type.Optional(nullable(instant())),
  },
  { additionalProperties: false },
);

const Rotation = Type.Object(
  { overlap_hours: Type.Optional(Type.Integer({ minimum: 0, maximum: maxOverlapHours })) },
  { additionalProperties: false },
);

export function keyRoutes(app: TypedApp, deps: Deps): void {
  app.get(
    "/api-keys",
    { config: { right: "developers:read" } },
    async (request): Promise<Answers["GET /api-keys"]> => ({
      object: "list",
      data: await listKeys(deps.pool, request.session.accountId),
    }),
  );
  app.post(
    "/api-keys",
    { config: { right: "developers:write" }, schema: { body: NewKey } },
    async ({ session, body }, reply) => {
      const { name, scopes: granted, expires_at = null } = body;
      const now = deps.clock.now();
      if (expires_at !== null && new Date(expires_at) <= now)
        throw validationError([{ param: "expires_at", message: "`expires_at` debe ser un instante futuro." }]);
      await limitingKeys(requireKeysLeft(deps.pool, session.accountId, now));
      return reply
        .code(202)
        .send(await requestConfirmation(deps, session, "api_key.create", { name, scopes: granted, expires_at }));
    },
  );
  app.post(
    "/api-keys/:id/rotate",
    { config: { right: "developers:write" }, schema: { params: ById, body: Rotation } },
    async (request, reply) => {
      const { id } = request.params;
      const { overlap_hours = maxOverlapHours } = request.body;
      const { name, last_four } = await findRotatable(deps.pool, request.session.accountId, id, deps.clock.now());
      const payload = { api_key_id: id, name, last_four, overlap_hours };
      return reply.code(202).send(await requestConfirmation(deps, request.session, "api_key.rotate", payload));
    },
  );
  app.delete(
    "/api-keys/:id",
    { config: { right: "developers:write" }, schema: { params: ById } },
    async (request, reply) => {
      await requireKey(deps.pool, request.session.accountId, request.params.id);
      await revokeKey(deps, request.params.id, actorOf(request));
      deps.access.clear();
      return reply.code(204).send();
    },
  );
}
