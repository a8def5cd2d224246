import { withAccountLock } from "../../../access/accounts/account-lock.ts";
import type { Deps } from "../../../deps.ts";
import { eventTypes } from "../../../engine/events/event-types.ts";
import { ById, createdWindow, instant, oneOf, page, uuid } from "../../../engine/resources/fields.ts";
import { ApiError, validationError } from "../../../lib/errors.ts";
import { Type } from "../../../lib/schema.ts";
import { findEndpoint } from "../../../webhooks/endpoints/store.ts";
import { deliveryStates, findDelivery, readHistory } from "../../../webhooks/history/delivery-history.ts";
import { readSentRequest } from "../../../webhooks/history/sent-request.ts";
import { resendDelivery } from "../../../webhooks/queue/resend-delivery.ts";
import {
  cancelResend,
  continueResend,
  countRecoverable,
  readResend,
  recoverableStates,
  startResend,
} from "../../../webhooks/queue/resend-period.ts";
import { retryNow } from "../../../webhooks/queue/retry-now.ts";
import type { TypedApp } from "../../public/public-app.ts";
import type { Answers } from "../answers.ts";
import { requirePro } from "../settings/confirmable-actions.ts";
import { paged } from "../tables/paging.ts";

const closed = { additionalProperties: false };
const DeliveryQuery = Type.Object(
  {
    ...page,
    ...createdWindow,
    state: Type.Optional(oneOf(deliveryStates)),
    type: Type.Optional(oneOf([...eventTypes, "webhook.test"])),
    q: Type.Optional(uuid()),
  },
  closed,
);
const WhichAttempt = Type.Object({ attempt: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })) }, closed);
const Period = Type.Object({ since: instant(), until: instant() }, closed);
const Recovery = Type.Object(
  {
    since: instant(),
    until: instant(),
    states: Type.Optional(Type.Array(oneOf(recoverableStates), { minItems: 1, uniqueItems: true })),
  },
  closed,
);
const ByResend = Type.Object({ id: uuid(), resend_id: uuid() }, closed);

export function deliveryRoutes(app: TypedApp, deps: Deps): void {
  app.get(
    "/webhook-endpoints/:id/deliveries",
    { config: { right: "developers:read" }, schema: { params: ById, querystring: DeliveryQuery } },
    async (request): Promise<Answers["GET /webhook-endpoints/:id/deliveries"]> => {
      const { accountId } = request.session;
      const { id: endpointId } = request.params;
      const { state, type, q, created_since, created_until } = request.query;
      const now = deps.clock.now();
      await findEndpoint(deps.pool, accountId, endpointId, now);
      const list = { route: `deliveries ${endpointId}`, accountId, query: request.query };
      return paged(deps, list, (limit, after) => {
        const search = q?.toLowerCase();
        const [since, until] = [toDate(created_since), toDate(created_until)];
        return readHistory(deps.pool, { accountId, endpointId, state, type, since, until, search, limit, after }, now);
      });
    },
  );
  app.get(
    "/deliveries/:id",
    { config: { right: "developers:read" }, schema: { params: ById } },
    async (request): Promise<Answers["GET /deliveries/:id"]> => {
      const found = await findDelivery(deps.pool, request.session.accountId, request.params.id.toLowerCase());
      if (!found) throw unknownDelivery();
      return found;
    },
  );
  app.get(
    "/deliveries/:id/request",
    { config: { right: "developers:read" }, schema: { params: ById, querystring: WhichAttempt } },
    async ({ session, params, query }): Promise<Answers["GET /deliveries/:id/request"]> => {
      const id = params.id.toLowerCase();
      const found = await readSentRequest(deps, session.accountId, id, query.attempt);
      if (!found)
        throw (await findDelivery(deps.pool, session.accountId, id))
          ? new ApiError("EVENT_EXPIRED")
          : unknownDelivery();
      return found;
    },
  );
  for (const [step, send] of [["resend", resendDelivery] as const, ["retry", retryNow] as const])
    app.post(
      `/deliveries/:id/${step}`,
      { config: { right: "developers:write" }, schema: { params: ById } },
      async (request, reply) => {
        requirePro(request.session.hasPro);
        const { accountId } = request.session;
        const id = request.params.id.toLowerCase();
        const endpoint = await withAccountLock(deps, accountId, (client) =>
          send(client, accountId, id, deps.clock.now()),
        );
        deps.deliveries?.announce([endpoint]);
        return reply.code(202).send({ delivery_id: id });
      },
    );
}

/** What failed in a period, sent again. */
export function resendRoutes(app: TypedApp, deps: Deps): void {
  app.get(
    "/webhook-endpoints/:id/failed-count",
    { config: { right: "developers:read" }, schema: { params: ById, querystring: Period } },
    async (request) => {
      const counts = await countRecoverable(deps.pool, await periodOf(request, request.query));
      return { count: counts.failed, ...counts } satisfies Answers["GET /webhook-endpoints/:id/failed-count"];
    },
  );
  app.post(
    "/webhook-endpoints/:id/resends",
    { config: { right: "developers:write" }, schema: { params: ById, body: Recovery } },
    async (request, reply) => {
      requirePro(request.session.hasPro);
      const { states = ["failed"] } = request.body;
      const period = { ...(await periodOf(request, request.body)), states };
      const resend = await withAccountLock(deps, period.accountId, (client) =>
        startResend(client, period, deps.clock.now()),
      );
      // Not awaited: the response reports its start. If it is interrupted, a worker continues it soon.
      void continueResend(deps, period.accountId, resend.id).catch((error: Error) =>
        deps.log.warn({ err: error, resend_id: resend.id }, "a resend was interrupted"),
      );
      return reply.code(202).send(resend satisfies Answers["POST /webhook-endpoints/:id/resends"]);
    },
  );
  app.get(
    "/webhook-endpoints/:id/resends/:resend_id",
    { config: { right: "developers:read" }, schema: { params: ByResend } },
    async (request) => {
      const { id, resend_id } = request.params;
      const found = await readResend(deps.pool, request.session.accountId, id, resend_id);
      if (!found) throw unknownResend();
      return found satisfies Answers["GET /webhook-endpoints/:id/resends/:resend_id"];
    },
  );

  app.post(
    "/webhook-endpoints/:id/resends/:resend_id/stop",
    { config: { right: "developers:write" }, schema: { params: ByResend } },
    async (request) => {
      const { accountId } = request.session;
      const { id, resend_id } = request.params;
      // Waits for the step in progress, so that the count in the answer is final.
      await withAccountLock(deps, accountId, (client) => cancelResend(client, accountId, id, resend_id));
      const found = await readResend(deps.pool, accountId, id, resend_id);
      if (!found) throw unknownResend();
      return found satisfies Answers["POST /webhook-endpoints/:id/resends/:resend_id/stop"];
    },
  );

  async function periodOf(
    { session, params }: { session: { accountId: string }; params: { id: string } },
    { since, until }: { since: string; until: string },
  ) {
    await findEndpoint(deps.pool, session.accountId, params.id, deps.clock.now());
    const period = {
      accountId: session.accountId,
      endpointId: params.id,
      since: new Date(since),
      until: new Date(until),
    };
    if (period.since >= period.until)
      throw validationError([{ param: "until", message: "`until` debe ser posterior a `since`." }]);
    return period;
  }
}

function unknownResend(): ApiError {
  return new ApiError("NOT_FOUND", { param: "resend_id", message: "No existe este reenvío. Vuelva a empezar." });
}

function unknownDelivery(): ApiError {
  return new ApiError("NOT_FOUND", { param: "id", message: "No existe esta entrega en la cuenta." });
}

function toDate(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(text);
}
