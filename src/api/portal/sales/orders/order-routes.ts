import type { FastifyRequest } from "fastify";
import { recordAudit } from "../../../../access/accounts/record-audit.ts";
import { moveOrder, type StepDetails } from "../../../../business/orders/move-order.ts";
import { maxReason } from "../../../../business/orders/new-order.ts";
import { orders } from "../../../../business/orders/resource.ts";
import type { Order } from "../../../../business/orders/schema.ts";
import { mayBecome, orderStates } from "../../../../business/orders/states.ts";
import type { ServedDeps } from "../../../../deps.ts";
import { ById, line, optional } from "../../../../engine/resources/fields.ts";
import { atLocations } from "../../../../engine/resources/placed.ts";
import { writing } from "../../../../engine/writing/writing.ts";
import { ApiError } from "../../../../lib/errors.ts";
import { Type } from "../../../../lib/schema.ts";
import type { TypedApp } from "../../../public/public-app.ts";
import type { Answers } from "../../answers.ts";
import { orderList } from "../../lists/orders.ts";
import { actorOf } from "../../settings/session-routes.ts";
import { recordPages } from "../../tables/record-pages.ts";
import { serveFile, serveRows } from "../../tables/serve-list.ts";
import { noSuchOrder, orderNamed, readOrder, readOrders, readOrderTotals } from "./read-orders.ts";

const closed = { additionalProperties: false };
const mostMinutes = 24 * 60;
const AcceptBody = Type.Object({ minutes: optional(Type.Integer({ minimum: 0, maximum: mostMinutes })) }, closed);
const RejectBody = Type.Object({ reason: optional(line(maxReason)) }, closed);

/** Orders from outside, for whoever attends them without Caja. */
export function orderRoutes(app: TypedApp, deps: ServedDeps): void {
  serveRows(app, deps, orderList, {
    read: ({ accountId, query }, limit, after) => readOrders(deps, accountId, query, limit, after),
    instantOf: ({ created_at }) => created_at,
    totals: ({ accountId, query }): Promise<Answers["GET /orders/totals"]> => readOrderTotals(deps, accountId, query),
  });
  serveFile(app, deps, orderList, ({ accountId, query }) => ({
    columns: orderList.columns,
    pages: recordPages<Order>(deps, accountId, orders, query, [
      ...orderNamed(query.q),
      ...atLocations(query.location_ids ?? null, accountId),
    ]),
  }));
  app.get(
    "/orders/:id",
    { config: { right: "orders:read" }, schema: { params: ById } },
    ({ session: { accountId }, params }): Promise<Answers["GET /orders/:id"]> =>
      readOrder(deps, accountId, params.id.toLowerCase()),
  );
  app.post(
    "/orders/:id/accept",
    { config: { right: "orders:write" }, schema: { params: ById, body: AcceptBody } },
    (request): Promise<Answers["POST /orders/:id/accept"]> =>
      step(deps, request, request.params.id, "accepted", { minutes: request.body.minutes ?? null }),
  );
  app.post(
    "/orders/:id/reject",
    { config: { right: "orders:write" }, schema: { params: ById, body: RejectBody } },
    (request): Promise<Answers["POST /orders/:id/reject"]> =>
      step(deps, request, request.params.id, "rejected", { reason: request.body.reason || null }),
  );
}

/** The first who decides has it: a register may have been faster. */
function step(
  deps: ServedDeps,
  request: FastifyRequest,
  id: string,
  to: "accepted" | "rejected",
  details: StepDetails,
): Promise<{ order: Order }> {
  const { accountId } = request.session;
  return writing(
    deps,
    accountId,
    async (write) => {
      const current = await write.load(orders, id);
      if (!current) throw noSuchOrder();
      const { number, status } = current.body;
      if (!mayBecome(status, to))
        throw new ApiError("CONFLICT", {
          param: "id",
          message: `El pedido ${number} ya está ${orderStates[status].spanish.toLowerCase()}: alguien fue más rápido. Vuelva a leerlo.`,
        });
      const body = await moveOrder(write, current, to, details);
      await recordAudit(write.client, {
        accountId,
        at: write.at,
        action: `order.${to}`,
        details: { order_id: body.id, number, ...(details.reason && { reason: details.reason }) },
        actor: actorOf(request),
      });
      return { order: JSON.parse(write.published(body)) as Order };
    },
    request.id,
  );
}
