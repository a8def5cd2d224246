import type { FastifyRequest } from "fastify";
import type { AuditAction } from "../../../access/accounts/audit-actions.ts";
import { maxEmailLength } from "../../../access/accounts/password.ts";
import { recordAudit } from "../../../access/accounts/record-audit.ts";
import { NewPurchase, NewReceipt, PurchaseChanges } from "../../../business/purchases/new-purchase.ts";
import { createPurchase, updatePurchase } from "../../../business/purchases/operations.ts";
import { receivePurchase } from "../../../business/purchases/receive.ts";
import { purchases } from "../../../business/purchases/resource.ts";
import type { Purchase } from "../../../business/purchases/schema.ts";
import type { ServedDeps } from "../../../deps.ts";
import { ById, nullable } from "../../../engine/resources/fields.ts";
import { atLocations } from "../../../engine/resources/placed.ts";
import type { Write } from "../../../engine/writing/write.ts";
import { Type } from "../../../lib/schema.ts";
import { publicBodyLimitBytes } from "../../public/body-limit.ts";
import { createOnce, postOnce } from "../../public/idempotency.ts";
import type { TypedApp } from "../../public/public-app.ts";
import { updateOne } from "../../public/updating.ts";
import type { Answers } from "../answers.ts";
import { asOwner } from "../developers/owner-request.ts";
import { purchaseList } from "../lists/purchases.ts";
import { actorOf } from "../settings/session-routes.ts";
import { inOwnWarehouse } from "../stock/read-choices.ts";
import { recordPages } from "../tables/record-pages.ts";
import { serveFile, serveRows } from "../tables/serve-list.ts";
import { mailPurchase } from "./mail-purchase.ts";
import { noSuchPurchase, readPurchase, readPurchases, readPurchaseTotals } from "./read-purchases.ts";

const toRead = { right: "purchases:read" } as const;
const toChange = { right: "purchases:write" } as const;
/** Hundreds of lines are more than a form of the portal usually sends. */
const bodyLimit = publicBodyLimitBytes;

/** What is bought, written by the same operations as the public API's. */
export function purchaseRoutes(app: TypedApp, deps: ServedDeps): void {
  mailRoute(app, deps);
  serveRows(app, deps, purchaseList, {
    read: ({ accountId, query }, limit, after) => readPurchases(deps, accountId, query, limit, after),
    instantOf: ({ created_at }) => created_at,
    totals: ({ accountId, query }): Promise<Answers["GET /purchases/totals"]> =>
      readPurchaseTotals(deps, accountId, query),
  });
  serveFile(app, deps, purchaseList, ({ accountId, query }) => ({
    columns: purchaseList.columns,
    pages: recordPages<Purchase>(deps, accountId, purchases, query, [
      ...atLocations(query.location_ids ?? null, accountId),
    ]),
  }));
  app.get(
    "/purchases/:id",
    { config: toRead, schema: { params: ById } },
    ({ session: { accountId }, params }): Promise<Answers["GET /purchases/:id"]> =>
      readPurchase(deps, accountId, params.id.toLowerCase()),
  );
  app.post("/purchases", { config: toChange, bodyLimit, schema: { body: NewPurchase } }, async (request, reply) => {
    const input = await inOwnWarehouse(deps, request.session, request.body);
    return createOnce(deps, asOwner(request), reply, async (write) => {
      const made = await createPurchase(write, input);
      await told(write, request, "purchase.created", made);
      return made;
    });
  });
  app.patch(
    "/purchases/:id",
    { config: toChange, bodyLimit, schema: { params: ById, body: PurchaseChanges } },
    (request, reply) =>
      updateOne(deps, asOwner(request), reply, purchases, async (write, current) => {
        const body = await updatePurchase(write, current, request.body);
        await told(write, request, "purchase.changed", body, { changed: Object.keys(request.body) });
        return body;
      }),
  );
  app.post(
    "/purchases/:id/receipts",
    { config: toChange, bodyLimit, schema: { params: ById, body: NewReceipt } },
    (request, reply) =>
      postOnce(deps, asOwner(request), reply, async (write) => {
        const current = await write.load(purchases, request.params.id);
        if (!current) throw noSuchPurchase();
        const body = await receivePurchase(write, current, request.body);
        const { kind, lines } = body.receipts.at(-1) ?? { kind: "receipt", lines: [] };
        await told(write, request, "purchase.received", body, { kind, lines: lines.length });
        return { status: 200, headers: {}, body: write.published(body) };
      }),
  );
}

const MailBody = Type.Object(
  { email: Type.Optional(nullable(Type.String({ format: "email", maxLength: maxEmailLength }))) },
  { additionalProperties: false },
);

/** The order goes to its supplier, or to another address. */
function mailRoute(app: TypedApp, deps: ServedDeps): void {
  app.post(
    "/purchases/:id/mail",
    { config: toChange, schema: { params: ById, body: MailBody } },
    async (request, reply) => {
      const email = await mailPurchase(deps, request.session.accountId, request.params.id.toLowerCase(), {
        email: request.body.email?.trim() || undefined,
        actor: actorOf(request),
      });
      return reply.code(202).send({ email } satisfies Answers["POST /purchases/:id/mail"]);
    },
  );
}

async function told(
  write: Write,
  request: FastifyRequest,
  action: AuditAction,
  { id, number, supplier_name, status }: Purchase,
  more: object = {},
): Promise<void> {
  const { accountId, at } = write;
  const details = { purchase_id: id, number, supplier: supplier_name, status, ...more };
  await recordAudit(write.client, { accountId, at, action, details, actor: actorOf(request) });
}
