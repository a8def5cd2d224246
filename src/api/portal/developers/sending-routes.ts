import { withAccountLock } from "../../../access/accounts/account-lock.ts";
import { recordAudit } from "../../../access/accounts/record-audit.ts";
import { requireLocations } from "../../../business/locations/registers.ts";
import type { Deps } from "../../../deps.ts";
import { ById, nullable, uuid } from "../../../engine/resources/fields.ts";
import { Type } from "../../../lib/schema.ts";
import { maxHeaderName, maxHeaderValue, maxOwnHeaders } from "../../../webhooks/endpoints/own-headers.ts";
import { mostPerSecond } from "../../../webhooks/endpoints/pace.ts";
import { secretBox } from "../../../webhooks/endpoints/secret-box.ts";
import { findEndpoint } from "../../../webhooks/endpoints/store.ts";
import { updateSending } from "../../../webhooks/endpoints/update-sending.ts";
import type { TypedApp } from "../../public/public-app.ts";
import type { Answers } from "../answers.ts";
import { requirePro } from "../settings/confirmable-actions.ts";
import { actorOf } from "../settings/session-routes.ts";

const Header = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: maxHeaderName }),
    value: nullable(Type.String({ minLength: 1, maxLength: maxHeaderValue })),
  },
  { additionalProperties: false },
);
const SendingChanges = Type.Object(
  {
    headers: Type.Optional(Type.Array(Header, { maxItems: maxOwnHeaders })),
    location_ids: Type.Optional(
      Type.Unsafe<string[] | null>({ type: ["array", "null"], items: uuid(), minItems: 1, uniqueItems: true }),
    ),
    sources: Type.Optional(
      Type.Unsafe<string[] | null>({
        type: ["array", "null"],
        items: { type: "string", minLength: 1, maxLength: 60, pattern: "\\S" },
        minItems: 1,
        maxItems: 20,
        uniqueItems: true,
      }),
    ),
    per_second: Type.Optional(nullable(Type.Integer({ minimum: 1, maximum: mostPerSecond }))),
  },
  { additionalProperties: false, minProperties: 1 },
);

/** How an endpoint is sent to, and of what: nothing that could lead events elsewhere, so it takes no code. */
export function sendingRoutes(app: TypedApp, deps: Deps): void {
  app.patch(
    "/webhook-endpoints/:id/sending",
    { config: { right: "developers:write" }, schema: { params: ById, body: SendingChanges } },
    async (request) => {
      requirePro(request.session.hasPro);
      const { accountId } = request.session;
      const { id } = request.params;
      const now = deps.clock.now();
      const box = secretBox(deps.config.secretKeys);
      await requireLocations(deps.pool, accountId, request.body.location_ids);
      await deps.partitions.ensure(now);
      const changed = await withAccountLock(deps, accountId, async (client) => {
        const before = await findEndpoint(client, accountId, id, now);
        await updateSending(client, box, accountId, id, request.body, now);
        const after = await findEndpoint(client, accountId, id, now);
        await recordAudit(client, {
          ...{ accountId, at: now, action: "webhook_endpoint.updated", actor: actorOf(request) },
          details: { endpoint_id: id, before: toldOf(before), after: toldOf(after) },
        });
        return after;
      });
      return changed satisfies Answers["PATCH /webhook-endpoints/:id/sending"];
    },
  );
}

/** Of headers the names: their values are secrets. */
function toldOf({ header_names, location_ids, sources, per_second }: Awaited<ReturnType<typeof findEndpoint>>) {
  return { header_names, location_ids, sources, per_second };
}
