import type { FastifyRequest } from "fastify";
import { withAccountLock } from "../../../access/accounts/account-lock.ts";
import type { AuditAction } from "../../../access/accounts/audit-actions.ts";
import { recordAudit } from "../../../access/accounts/record-audit.ts";
import type { Client } from "../../../db/pool.ts";
import type { Deps } from "../../../deps.ts";
import { type EventType, eventTypes } from "../../../engine/events/event-types.ts";
import { ById, label, nullable, oneOf } from "../../../engine/resources/fields.ts";
import { validationError } from "../../../lib/errors.ts";
import { Type } from "../../../lib/schema.ts";
import { requireBelowLimit } from "../../../webhooks/endpoints/create-endpoint.ts";
import { deleteEndpoint } from "../../../webhooks/endpoints/delete-endpoint.ts";
import { checkEndpointUrl } from "../../../webhooks/endpoints/endpoint-url.ts";
import { type StatusChange, setEndpointStatus } from "../../../webhooks/endpoints/set-endpoint-status.ts";
import { findEndpoint, listEndpoints } from "../../../webhooks/endpoints/store.ts";
import { updateEndpoint } from "../../../webhooks/endpoints/update-endpoint.ts";
import { readHealth, successRate } from "../../../webhooks/history/hours.ts";
import { sendTest } from "../../../webhooks/sending/send-test.ts";
import type { TypedApp } from "../../public/public-app.ts";
import type { Answers } from "../answers.ts";
import { requirePro } from "../settings/confirmable-actions.ts";
import { requestConfirmation } from "../settings/confirmations.ts";
import { actorOf } from "../settings/session-routes.ts";
import { deliveryRoutes, resendRoutes } from "./delivery-routes.ts";
import { sendingRoutes } from "./sending-routes.ts";

const closed = { additionalProperties: false };
const url = Type.String({ minLength: 1, maxLength: 4096 });
const types = Type.Array(oneOf(eventTypes), { minItems: 1, uniqueItems: true });
const name = Type.Optional(nullable(label(60)));
const NewEndpoint = Type.Object({ url, event_types: types, name }, closed);
const EndpointChanges = Type.Object(
  { url: Type.Optional(url), event_types: Type.Optional(types), name },
  { ...closed, minProperties: 1 },
);
const Example = Type.Object({ type: oneOf(eventTypes) }, closed);

const toRead = { right: "developers:read" } as const;
const toChange = { right: "developers:write" } as const;

export function webhookRoutes(app: TypedApp, deps: Deps): void {
  app.get("/webhook-endpoints", { config: toRead }, async (request) => {
    const { accountId } = request.session;
    const now = deps.clock.now();
    const endpoints = await listEndpoints(deps.pool, accountId, now);
    const ids = endpoints.map(({ id }) => id);
    const health = await readHealth(deps.pool, accountId, ids, now);
    const data = endpoints.map((endpoint) => {
      const counts = health.get(endpoint.id)!;
      return { ...endpoint, last_day: { ...counts, success_rate: successRate(counts) } };
    });
    return { object: "list", data } satisfies Answers["GET /webhook-endpoints"];
  });
  app.post("/webhook-endpoints", { config: toChange, schema: { body: NewEndpoint } }, async (request, reply) => {
    requirePro(request.session.hasPro);
    const { accountId } = request.session;
    const { event_types, name: given = null } = request.body;
    const payload = { url: readUrl(request.body.url), event_types, name: given };
    await requireBelowLimit(deps.pool, accountId);
    return reply.code(202).send(await requestConfirmation(deps, request.session, "webhook_endpoint.create", payload));
  });
  app.get("/webhook-endpoints/:id", { config: toRead, schema: { params: ById } }, async (request) => {
    const found = await findEndpoint(deps.pool, request.session.accountId, request.params.id, deps.clock.now());
    return found satisfies Answers["GET /webhook-endpoints/:id"];
  });
  changeRoutes(app, deps);
  stateRoutes(app, deps);
  testRoutes(app, deps);
  sendingRoutes(app, deps);
  deliveryRoutes(app, deps);
  resendRoutes(app, deps);
}

function changeRoutes(app: TypedApp, deps: Deps): void {
  app.patch(
    "/webhook-endpoints/:id",
    { config: toChange, schema: { params: ById, body: EndpointChanges } },
    async (request, reply) => {
      requirePro(request.session.hasPro);
      const { accountId } = request.session;
      const { id } = request.params;
      const current = await findEndpoint(deps.pool, accountId, id, deps.clock.now());
      const { event_types, name: newName } = request.body;
      const changedUrl = request.body.url === undefined ? current.url : readUrl(request.body.url);
      if (changedUrl !== current.url) {
        // The whole change waits for the code: if the code expires, nothing was changed.
        const payload = {
          endpoint_id: id,
          old_url: current.url,
          url: changedUrl,
          event_types: event_types ?? null,
          ...(newName !== undefined && { name: newName }),
        };
        return reply
          .code(202)
          .send(await requestConfirmation(deps, request.session, "webhook_endpoint.change_url", payload));
      }
      const changes = { ...(event_types && { event_types }), ...(newName !== undefined && { name: newName }) };
      if (Object.keys(changes).length > 0) {
        await changing(deps, request, "webhook_endpoint.updated", { endpoint_id: id, ...changes }, (client, now) =>
          updateEndpoint(client, accountId, id, changes, now),
        );
      }
      const changed = await findEndpoint(deps.pool, accountId, id, deps.clock.now());
      return changed satisfies Answers["PATCH /webhook-endpoints/:id"];
    },
  );
  app.delete("/webhook-endpoints/:id", { config: toChange, schema: { params: ById } }, async (request, reply) => {
    const { id } = request.params;
    await changing(deps, request, "webhook_endpoint.deleted", { endpoint_id: id }, (client, now) =>
      deleteEndpoint(client, request.session.accountId, id, now),
    );
    return reply.code(204).send();
  });
}

function stateRoutes(app: TypedApp, deps: Deps): void {
  for (const change of ["pause", "resume", "reactivate"] as const satisfies StatusChange[]) {
    app.post(`/webhook-endpoints/:id/${change}`, { config: toChange, schema: { params: ById } }, async (request) => {
      if (change !== "pause") requirePro(request.session.hasPro);
      const { accountId } = request.session;
      const { id } = request.params;
      await changing(deps, request, `webhook_endpoint.${change}`, { endpoint_id: id }, (client, now) =>
        setEndpointStatus(client, accountId, id, change, now),
      );
      deps.deliveries?.announce([{ accountId, endpointId: id }]);
      return findEndpoint(deps.pool, accountId, id, deps.clock.now());
    });
  }
  app.post(
    "/webhook-endpoints/:id/rotate-secret",
    { config: toChange, schema: { params: ById } },
    async (request, reply) => {
      requirePro(request.session.hasPro);
      const { id } = request.params;
      const endpoint = await findEndpoint(deps.pool, request.session.accountId, id, deps.clock.now());
      const payload = { endpoint_id: id, url: endpoint.url };
      return reply
        .code(202)
        .send(await requestConfirmation(deps, request.session, "webhook_endpoint.rotate_secret", payload));
    },
  );
}

function testRoutes(app: TypedApp, deps: Deps): void {
  app.post("/webhook-endpoints/:id/test", { config: toChange, schema: { params: ById } }, (request) =>
    testing(request),
  );
  app.post("/webhook-endpoints/:id/example", { config: toChange, schema: { params: ById, body: Example } }, (request) =>
    testing(request, request.body.type),
  );

  /** Sends webhook.test, or the example of a type. */
  async function testing(
    { session: { accountId, hasPro }, params: { id } }: FastifyRequest & { params: { id: string } },
    type?: EventType,
  ): Promise<Answers["POST /webhook-endpoints/:id/test"]> {
    requirePro(hasPro);
    const now = deps.clock.now();
    await deps.partitions.ensure(now);
    const delivery_id = await withAccountLock(deps, accountId, (client) => sendTest(client, accountId, id, now, type));
    deps.deliveries?.announce([{ accountId, endpointId: id }]);
    return { delivery_id };
  }
}

/** Changes an endpoint under the account lock, with an entry in the audit log. */
async function changing<T>(
  deps: Deps,
  request: FastifyRequest,
  action: AuditAction,
  details: Record<string, unknown>,
  change: (client: Client, now: Date) => Promise<T>,
): Promise<T> {
  const { accountId } = request.session;
  const now = deps.clock.now();
  await deps.partitions.ensure(now);
  return withAccountLock(deps, accountId, async (client) => {
    const result = await change(client, now);
    await recordAudit(client, { accountId, at: now, action, details, actor: actorOf(request) });
    return result;
  });
}

function readUrl(text: string): string {
  const checked = checkEndpointUrl(text);
  if (!checked.ok) throw validationError([{ param: "url", message: checked.message }]);
  return checked.url;
}
