import { NewReceipt } from "../../business/purchases/new-purchase.ts";
import { receivePurchase } from "../../business/purchases/receive.ts";
import { purchases } from "../../business/purchases/resource.ts";
import { Purchase } from "../../business/purchases/schema.ts";
import { ById, NoQuery } from "../../engine/resources/fields.ts";
import type { Write } from "../../engine/writing/write.ts";
import type { StoredResponse } from "../../engine/writing/writing-once.ts";
import { ApiError } from "../../lib/errors.ts";
import { postOnce } from "./idempotency.ts";
import type { TypedApp } from "./public-app.ts";
import { notFoundMessage, type ReadingDeps } from "./reading.ts";

/** What becomes of a purchase besides making, reading and changing one. */
export function purchaseRoutes(app: TypedApp, deps: ReadingDeps): void {
  app.post(
    "/purchases/:id/receipts",
    {
      config: {
        permission: "purchases:write",
        responseSchema: Purchase,
        emits: ["purchase.received", "inventory.movement.created"],
        errors: ["CONFLICT", "NO_WAREHOUSE", "VARIANT_STOCK_UNSUPPORTED", "COMPOSITE_STOCK_UNSUPPORTED"],
        action: { id: "receivePurchase", text: "La compra, con la recepción y lo que falta.", takesKey: true },
      },
      schema: {
        tags: [purchases.tag.name],
        summary: "Recibir, devolver o corregir mercancía de una compra",
        params: ById,
        querystring: NoQuery,
        body: NewReceipt,
      },
    },
    (request, reply) => postOnce(deps, request, reply, (write) => receive(write, request.params.id, request.body)),
  );
}

async function receive(write: Write, id: string, input: NewReceipt): Promise<StoredResponse> {
  const current = await write.load(purchases, id);
  if (!current) throw new ApiError("NOT_FOUND", { param: "id", message: notFoundMessage(purchases.spanish.one) });
  const body = await receivePurchase(write, current, input);
  return { status: 200, headers: {}, body: write.published(body) };
}
