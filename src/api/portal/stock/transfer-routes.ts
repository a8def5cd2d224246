import { type Actor, recordAudit } from "../../../access/accounts/record-audit.ts";
import type { Session } from "../../../access/people/session.ts";
import {
  receiveTransfer,
  sendTransfer,
  settlements,
  settleTransfer,
  type Transfer,
} from "../../../business/inventory/transfers.ts";
import type { ServedDeps } from "../../../deps.ts";
import { ById, label, nullable, oneOf, optional, page, uuid } from "../../../engine/resources/fields.ts";
import type { Write } from "../../../engine/writing/write.ts";
import { writing } from "../../../engine/writing/writing.ts";
import { ApiError } from "../../../lib/errors.ts";
import { Type } from "../../../lib/schema.ts";
import { createOnce } from "../../public/idempotency.ts";
import type { TypedApp } from "../../public/public-app.ts";
import type { Answers } from "../answers.ts";
import { asOwner } from "../developers/owner-request.ts";
import { actorOf } from "../settings/session-routes.ts";
import { paged } from "../tables/paging.ts";
import { findTransfer, readDestinations, readOnTheWay, readTransfers } from "./read-transfers.ts";

const closed = { additionalProperties: false };
const maxLines = 200;
const linesOf = (least: object) =>
  Type.Array(
    Type.Object(
      { product_id: uuid(), quantity: Type.Number({ ...least, maximum: 999_999_999, "x-max-decimals": 3 }) },
      closed,
    ),
    { minItems: 1, maxItems: maxLines },
  );
const NewTransfer = Type.Object(
  {
    from_warehouse_id: uuid(),
    to_warehouse_id: uuid(),
    note: optional(label(200)),
    lines: linesOf({ exclusiveMinimum: 0 }),
  },
  closed,
);
const Arrived = Type.Object({ lines: linesOf({ minimum: 0 }) }, closed);
const Settled = Type.Object({ as: oneOf(settlements), note: Type.Optional(nullable(label(200))) }, closed);
const TransferQuery = Type.Object({ ...page, open: Type.Optional(Type.Boolean()) }, closed);

const toRead = { right: "stock:read" } as const;
const toChange = { right: "stock:write" } as const;

/** Goods that travel between warehouses: one sede sends, the other receives. */
export function transferRoutes(app: TypedApp, deps: ServedDeps): void {
  app.get(
    "/transfers",
    { config: toRead, schema: { querystring: TransferQuery } },
    async ({ session, query }): Promise<Answers["GET /transfers"]> =>
      paged(deps, { route: "transfers", accountId: session.accountId, query }, (limit, after) =>
        readTransfers(deps.pool, session, { open: query.open === true, limit, after }),
      ),
  );
  // Where goods may be sent: also to sedes that whoever sends sees nothing else of.
  app.get("/transfers/destinations", { config: toChange }, async ({ session: { accountId } }) => {
    const data = await readDestinations(deps.pool, accountId);
    return { object: "list", data } satisfies Answers["GET /transfers/destinations"];
  });
  app.get("/transfers/on-the-way", { config: toRead }, async ({ session }) => {
    const data = await readOnTheWay(deps.pool, session);
    return { object: "list", data } satisfies Answers["GET /transfers/on-the-way"];
  });
  app.get(
    "/transfers/:id",
    { config: toRead, schema: { params: ById } },
    ({ session, params }): Promise<Answers["GET /transfers/:id"]> => findTransfer(deps.pool, session, params.id),
  );
  app.post("/transfers", { config: toChange, schema: { body: NewTransfer } }, (request, reply) =>
    createOnce(deps, asOwner(request), reply, async (write) => {
      const sent = await sendTransfer(write, request.body);
      await told(write, "transfer.sent", sent, actorOf(request));
      return sent;
    }),
  );
  app.post(
    "/transfers/:id/receive",
    { config: toChange, schema: { params: ById, body: Arrived } },
    async (request): Promise<Answers["POST /transfers/:id/receive"]> => {
      const { session, params, body } = request;
      const { to } = await findTransfer(deps.pool, session, params.id);
      requireEnd(session, to, "Lo recibe la sede a la que va.");
      return writing(deps, session.accountId, async (write) => {
        const after = await receiveTransfer(write, params.id, body.lines);
        await told(write, "transfer.received", after, actorOf(request));
        return after;
      });
    },
  );
  app.post(
    "/transfers/:id/settle",
    { config: toChange, schema: { params: ById, body: Settled } },
    async (request): Promise<Answers["POST /transfers/:id/settle"]> => {
      const { session, params, body } = request;
      const { from } = await findTransfer(deps.pool, session, params.id);
      requireEnd(session, from, "Lo que no llegó lo explica la sede que lo envió.");
      return writing(deps, session.accountId, async (write) => {
        const after = await settleTransfer(write, params.id, { as: body.as, note: body.note ?? null });
        await told(write, "transfer.settled", after, actorOf(request));
        return after;
      });
    },
  );
}

/** Whoever has only some sedes acts at the end that is hers. */
function requireEnd({ locationIds }: Session, { location_id }: Transfer["from"], message: string): void {
  if (locationIds === null || (location_id !== null && locationIds.includes(location_id))) return;
  throw new ApiError("INSUFFICIENT_RIGHTS", { message });
}

async function told(
  write: Write,
  action: "transfer.sent" | "transfer.received" | "transfer.settled",
  { id, number, state, from, to, settled_as }: Transfer,
  actor: Actor,
): Promise<void> {
  const details = { transfer_id: id, number, state, from: from.name, to: to.name, ...(settled_as && { settled_as }) };
  await recordAudit(write.client, { accountId: write.accountId, at: write.at, action, details, actor });
}
