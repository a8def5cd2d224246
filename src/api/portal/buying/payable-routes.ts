import { recordAudit } from "../../../access/accounts/record-audit.ts";
import { NewPayment, payPurchase, undoPayment } from "../../../business/purchases/payments.ts";
import { purchases } from "../../../business/purchases/resource.ts";
import type { Purchase } from "../../../business/purchases/schema.ts";
import type { ServedDeps } from "../../../deps.ts";
import { ById, uuid } from "../../../engine/resources/fields.ts";
import type { Loaded } from "../../../engine/resources/resource.ts";
import type { Write } from "../../../engine/writing/write.ts";
import type { StoredResponse } from "../../../engine/writing/writing-once.ts";
import { Type } from "../../../lib/schema.ts";
import { postOnce } from "../../public/idempotency.ts";
import type { TypedApp } from "../../public/public-app.ts";
import type { Answers } from "../answers.ts";
import { asOwner } from "../developers/owner-request.ts";
import { payableList } from "../lists/payables.ts";
import { actorOf } from "../settings/session-routes.ts";
import { serveList } from "../tables/serve-list.ts";
import { dueInstant, readPayables, readPayableTotals } from "./read-payables.ts";
import { noSuchPurchase } from "./read-purchases.ts";

const ByPayment = Type.Object({ id: uuid(), payment_id: uuid() }, { additionalProperties: false });
const Nothing = Type.Object({}, { additionalProperties: false });
const toPay = { right: "payables:write" } as const;

/** What is owed to suppliers, and what was paid of it. */
export function payableRoutes(app: TypedApp, deps: ServedDeps): void {
  serveList(app, deps, payableList, {
    read: ({ accountId, query }, limit, after) => readPayables(deps, accountId, query, limit, after),
    instantOf: dueInstant,
    totals: ({ accountId, query }): Promise<Answers["GET /payables/totals"]> =>
      readPayableTotals(deps, accountId, query),
  });
  app.post("/purchases/:id/payments", { config: toPay, schema: { params: ById, body: NewPayment } }, (request, reply) =>
    postOnce(deps, asOwner(request), reply, async (write) => {
      const current = await purchaseIn(write, request.params.id);
      const actor = actorOf(request);
      const body = await payPurchase(write, current, request.body, request.session.personId);
      const { amount, means } = request.body;
      const details = { purchase_id: body.id, number: body.number, supplier: body.supplier_name, amount, means };
      const { accountId, at } = write;
      await recordAudit(write.client, { accountId, at, action: "purchase.paid", details, actor });
      return answered(write, body);
    }),
  );
  app.post(
    "/purchases/:id/payments/:payment_id/undo",
    { config: toPay, schema: { params: ByPayment, body: Nothing } },
    (request, reply) =>
      postOnce(deps, asOwner(request), reply, async (write) => {
        const { id, payment_id } = request.params;
        const current = await purchaseIn(write, id);
        const actor = actorOf(request);
        const body = await undoPayment(write, current, payment_id, request.session.personId);
        const details = { purchase_id: body.id, number: body.number, supplier: body.supplier_name, payment_id };
        const { accountId, at } = write;
        await recordAudit(write.client, { accountId, at, action: "purchase.payment_undone", details, actor });
        return answered(write, body);
      }),
  );
}

async function purchaseIn(write: Write, id: string): Promise<Loaded<Purchase>> {
  const current = await write.load(purchases, id);
  if (!current) throw noSuchPurchase();
  return current;
}

const answered = (write: Write, body: Purchase): StoredResponse => ({
  status: 200,
  headers: {},
  body: write.published(body),
});
