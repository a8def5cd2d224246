import { latestExpiry, requireKeysLeft } from "../../../access/api-keys/create-key.ts";
import { readMaxKeyDays, setMaxKeyDays } from "../../../access/api-keys/key-policy.ts";
import { revokeKey } from "../../../access/api-keys/revoke-key.ts";
import { findRotatable, maxOverlapHours } from "../../../access/api-keys/rotate-key.ts";
import type { Deps } from "../../../deps.ts";
import { ById, instant, label, nullable, oneOf } from "../../../engine/resources/fields.ts";
import { scopes } from "../../../engine/resources/scopes.ts";
import { maxRanges, readRange } from "../../../lib/address-range.ts";
import { day } from "../../../lib/clock.ts";
import { validationError } from "../../../lib/errors.ts";
import { Type } from "../../../lib/schema.ts";
import type { TypedApp } from "../../public/public-app.ts";
import type { Answers } from "../answers.ts";
import { limitingKeys } from "../settings/confirmable-keys.ts";
import { requestConfirmation } from "../settings/confirmations.ts";
import { actorOf } from "../settings/session-routes.ts";
import { listKeys, requireKey } from "./keys.ts";

const addresses = nullable(Type.Array(Type.String({ minLength: 1, maxLength: 50 }), { maxItems: maxRanges }));
const Restriction = Type.Object({ allowed_addresses: addresses }, { additionalProperties: false });
const Policy = Type.Object(
  { max_key_days: nullable(Type.Integer({ minimum: 1, maximum: 3650 })) },
  { additionalProperties: false },
);

const NewKey = Type.Object(
  {
    name: label(100),
    scopes: Type.Array(oneOf(scopes), { minItems: 1, uniqueItems: true }),
    expires_at: Type.Optional(nullable(instant())),
    allowed_addresses: Type.Optional(addresses),
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
      await requireWithinPolicy(deps, session.accountId, expires_at, now);
      const allowed_addresses = rangesIn(body.allowed_addresses);
      const payload = { name, scopes: granted, expires_at, ...(allowed_addresses && { allowed_addresses }) };
      return reply.code(202).send(await requestConfirmation(deps, session, "api_key.create", payload));
    },
  );
  app.patch(
    "/api-keys/:id",
    { config: { right: "developers:write" }, schema: { params: ById, body: Restriction } },
    async ({ session, params, body }, reply) => {
      const { name, last_four } = await findRotatable(deps.pool, session.accountId, params.id, deps.clock.now());
      const allowed_addresses = rangesIn(body.allowed_addresses);
      const payload = { api_key_id: params.id, name, last_four, allowed_addresses };
      return reply.code(202).send(await requestConfirmation(deps, session, "api_key.restrict", payload));
    },
  );
  app.post(
    "/api-keys/:id/rotate",
    { config: { right: "developers:write" }, schema: { params: ById, body: Rotation } },
    async (request, reply) => {
      const { id } = request.params;
      const { overlap_hours = maxOverlapHours } = request.body;
      const found = await findRotatable(deps.pool, request.session.accountId, id, deps.clock.now());
      const { name, last_four, scopes: granted } = found;
      const payload = { api_key_id: id, name, last_four, overlap_hours, scopes: granted };
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
  policyRoutes(app, deps);
}

/** How long new keys may live. */
function policyRoutes(app: TypedApp, deps: Deps): void {
  app.get(
    "/key-policy",
    { config: { right: "developers:read" } },
    async ({ session }): Promise<Answers["GET /key-policy"]> => {
      return { max_key_days: await readMaxKeyDays(deps.pool, session.accountId) };
    },
  );
  app.put(
    "/key-policy",
    { config: { right: "developers:write" }, schema: { body: Policy } },
    async (request, reply) => {
      await setMaxKeyDays(deps, request.session.accountId, request.body.max_key_days, actorOf(request));
      return reply.code(204).send();
    },
  );
}

/** None means from anywhere. */
function rangesIn(texts: readonly string[] | null | undefined): string[] | null {
  if (!texts || texts.length === 0) return null;
  const wrong = texts.find((text) => readRange(text) === undefined);
  if (wrong !== undefined)
    throw validationError([
      {
        param: "allowed_addresses",
        message: `«${wrong}» no es una dirección ni un rango: escríbalos como 190.24.7.12, 190.24.7.0/24 o 2001:db8::/32.`,
      },
    ]);
  return texts.map((text) => text.trim());
}

async function requireWithinPolicy(deps: Deps, accountId: string, expiresAt: string | null, now: Date): Promise<void> {
  const latest = await latestExpiry(deps.pool, accountId, now);
  // The page offers whole days, that end at midnight.
  if (!latest || (expiresAt !== null && new Date(expiresAt).getTime() <= latest.getTime() + day)) return;
  const days = Math.round((latest.getTime() - now.getTime()) / day);
  throw validationError([
    {
      param: "expires_at",
      message: `Las claves de este negocio duran ${days} días como máximo: elija un plazo más corto.`,
    },
  ]);
}
