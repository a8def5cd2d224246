import { Type } from "typebox";
import { readCounterSettings, setCounterSettings, setTicketMail } from "../../business/counter/business-info.ts";
import {
  cashierPermissions,
  createCashier,
  listCashiers,
  maxCashiers,
  retireCashier,
  updateCashier,
} from "../../business/counter/cashiers.ts";
import type { Deps } from "../../deps.ts";
import { ById, label, nullable, oneOf } from "../../engine/resources/fields.ts";
import { readTicketMailing } from "../../fiscal/documents/ticket-mailing.ts";
import { ApiError, validationError } from "../../lib/errors.ts";
import { mostTipPercent } from "../../taxes/tip.ts";
import type { TypedApp } from "../public/public-app.ts";
import type { Answers } from "./answers.ts";
import { actorOf } from "./session-routes.ts";

const closed = { additionalProperties: false };
const ticketText = nullable(Type.String({ maxLength: 500 }));
const Settings = Type.Object(
  {
    ticket_header: ticketText,
    ticket_footer: ticketText,
    color: nullable(Type.String({ pattern: "^#[0-9a-fA-F]{6}$" })),
    cash_rounding: Type.Union([Type.Literal(0), Type.Literal(50), Type.Literal(100)]),
    tip_percent: Type.Integer({ minimum: 0, maximum: mostTipPercent }),
    blind_count: Type.Boolean(),
  },
  closed,
);

const TicketMail = Type.Object({ active: Type.Boolean() }, closed);

const name = label(80);
const pin = Type.String({ pattern: "^[0-9]{4,8}$", description: "De 4 a 8 cifras." });
const permissions = Type.Array(oneOf(cashierPermissions), { maxItems: cashierPermissions.length, uniqueItems: true });
const NewCashier = Type.Object({ name, pin, permissions }, closed);
const CashierChanges = Type.Partial(NewCashier, closed);

/** What a business tells its registers: the texts of its tickets, and who stands at the counter. */
export function counterRoutes(app: TypedApp, deps: Deps): void {
  app.get(
    "/counter",
    ({ session }): Promise<Answers["GET /counter"]> => readCounterSettings(deps.pool, session.accountId),
  );
  app.put(
    "/counter",
    { schema: { body: Settings } },
    ({ session, body }): Promise<Answers["PUT /counter"]> => setCounterSettings(deps, session.accountId, body),
  );
  const ticketMailing = (accountId: string) => readTicketMailing(deps.pool, deps.config, accountId, deps.clock.now());
  app.get("/ticket-mail", ({ session }): Promise<Answers["GET /ticket-mail"]> => ticketMailing(session.accountId));
  app.put("/ticket-mail", { schema: { body: TicketMail } }, async (request): Promise<Answers["PUT /ticket-mail"]> => {
    const { accountId } = request.session;
    await setTicketMail(deps, accountId, request.body.active, actorOf(request));
    return ticketMailing(accountId);
  });
  app.get(
    "/cashiers",
    async ({ session }): Promise<Answers["GET /cashiers"]> => ({
      object: "list",
      data: await listCashiers(deps.pool, session.accountId),
    }),
  );
  app.post("/cashiers", { schema: { body: NewCashier } }, async (request, reply) => {
    const input = { ...request.body, name: request.body.name.trim() };
    const cashier = await createCashier(deps, request.session.accountId, input, actorOf(request));
    if (!cashier)
      throw validationError([{ param: "name", message: `Ya hay ${maxCashiers} personas. Retire a alguna primero.` }]);
    return reply.code(201).send(cashier);
  });
  app.patch("/cashiers/:id", { schema: { params: ById, body: CashierChanges } }, async (request, reply) => {
    const { accountId } = request.session;
    if (!(await updateCashier(deps, accountId, request.params.id, request.body, actorOf(request))))
      throw unknownCashier();
    return reply.code(204).send();
  });
  app.delete("/cashiers/:id", { schema: { params: ById } }, async (request, reply) => {
    if (!(await retireCashier(deps, request.session.accountId, request.params.id, actorOf(request))))
      throw unknownCashier();
    return reply.code(204).send();
  });
}

function unknownCashier(): ApiError {
  return new ApiError("NOT_FOUND", { param: "id", message: "No existe esta persona en la cuenta." });
}
