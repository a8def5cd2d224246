import { countNewMovements } from "../../business/inventory/stock-levels.ts";
import { moveOrder } from "../../business/orders/move-order.ts";
import { CancelOrder, OrderPreviewBody } from "../../business/orders/new-order.ts";
import { ended, orderOperations } from "../../business/orders/operations.ts";
import { OrderPreview, previewOrder } from "../../business/orders/preview.ts";
import { orders } from "../../business/orders/resource.ts";
import { Order } from "../../business/orders/schema.ts";
import { mayBecome } from "../../business/orders/states.ts";
import { ById, NoQuery } from "../../engine/resources/fields.ts";
import { renderBody } from "../../engine/resources/resource.ts";
import { publish } from "../../engine/writing/operations.ts";
import type { Write } from "../../engine/writing/write.ts";
import { writing } from "../../engine/writing/writing.ts";
import type { StoredResponse } from "../../engine/writing/writing-once.ts";
import { ApiError } from "../../lib/errors.ts";
import { postOnce } from "./idempotency.ts";
import type { TypedApp } from "./public-app.ts";
import { notFoundMessage, type ReadingDeps } from "./reading.ts";
import { shownTo } from "./resource-routes.ts";

const tags = [orders.tag.name];
const published = publish(orders, orderOperations);

/** What is done with an order besides making, reading and changing one. */
export function orderRoutes(app: TypedApp, deps: ReadingDeps): void {
  app.post(
    "/orders/preview",
    {
      config: {
        permission: "orders:write",
        responseSchema: OrderPreview,
        errors: ["NOT_FOUND"],
        action: { id: "previewOrder", text: "Lo que costaría, y la sede que lo recibiría.", takesKey: false },
      },
      schema: { tags, summary: "Calcular un pedido sin hacerlo", querystring: NoQuery, body: OrderPreviewBody },
    },
    async (request, reply) => {
      const { accountId } = request.access;
      await countNewMovements(deps.pool, accountId);
      const preview = await writing(
        deps,
        accountId,
        async (write) => {
          const made = await previewOrder(write, request.body);
          write.discard();
          return made;
        },
        request.id,
      );
      return reply.type("application/json; charset=utf-8").send(JSON.stringify(preview));
    },
  );
  app.post(
    "/orders/:id/cancel",
    {
      config: {
        permission: "orders:write",
        responseSchema: Order,
        emits: ["order.cancelled"],
        errors: ["CONFLICT"],
        mayLackBody: true,
        action: { id: "cancelOrder", text: "El pedido cancelado.", takesKey: true },
      },
      schema: { tags, summary: "Cancelar un pedido", params: ById, querystring: NoQuery, body: CancelOrder },
    },
    (request, reply) =>
      postOnce(
        deps,
        request,
        reply,
        (write) => cancel(write, request.params.id, request.body),
        ({ body }) => shownTo(request.access, published)(body),
      ),
  );
}

async function cancel(write: Write, id: string, { reason }: CancelOrder): Promise<StoredResponse> {
  const current = await write.load(orders, id);
  if (!current) throw new ApiError("NOT_FOUND", { param: "id", message: notFoundMessage(orders.spanish.one) });
  // Whoever asks again has what he wanted.
  if (current.body.status === "cancelled") return { status: 200, headers: {}, body: renderBody(current.body) };
  if (!mayBecome(current.body.status, "cancelled")) throw ended(current.body, "id");
  const body = await moveOrder(write, current, "cancelled", { reason: reason || null });
  return { status: 200, headers: {}, body: write.published(body) };
}
