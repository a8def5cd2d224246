import { withAccountLock } from "../../../access/accounts/account-lock.ts";
import { recordAudit } from "../../../access/accounts/record-audit.ts";
import { alertsFor, rightOfAlert } from "../../../access/people/alert-people.ts";
import { requireRight } from "../../../access/people/require-right.ts";
import type { Session } from "../../../access/people/session.ts";
import type { Deps } from "../../../deps.ts";
import { nullable, oneOf, pesos } from "../../../engine/resources/fields.ts";
import { ApiError, validationError } from "../../../lib/errors.ts";
import { must } from "../../../lib/must.ts";
import { Type } from "../../../lib/schema.ts";
import { type AlertChoice, choicesOf, readChosen, setAlertChoice } from "../../../notices/alert-choices.ts";
import { allAlerts } from "../../../notices/alert-kinds.ts";
import { leastWaitMinutes, mostWaitMinutes, setOrderWait } from "../../../notices/order-wait.ts";
import type { TypedApp } from "../../public/public-app.ts";
import type { Answers } from "../answers.ts";
import { actorOf } from "./session-routes.ts";
import { shownTo } from "./shown-alerts.ts";

const closed = { additionalProperties: false };
const ByKind = Type.Object({ kind: oneOf(allAlerts) }, closed);
const hourOfDay = nullable(Type.Integer({ minimum: 0, maximum: 24 }));
const OrderSettings = Type.Object(
  { wait_minutes: Type.Integer({ minimum: leastWaitMinutes, maximum: mostWaitMinutes }) },
  closed,
);
const Choice = Type.Object(
  {
    active: Type.Boolean(),
    amount: Type.Optional(nullable(pesos({ minimum: 1, maximum: 999_999_999 }))),
    from_hour: Type.Optional(hourOfDay),
    to_hour: Type.Optional(hourOfDay),
  },
  closed,
);

/** What whoever is signed in is told of by mail: each person chooses her own, of what she may see. */
export function alertRoutes(app: TypedApp, deps: Deps): void {
  app.get(
    "/alerts",
    { config: { right: "anyone" } },
    async ({ session }): Promise<Answers["GET /alerts"]> => ({
      object: "list",
      data: await shownTo(deps, session, await ownChoices(deps, session)),
    }),
  );
  app.put(
    "/alerts/:kind",
    { config: { right: "anyone" }, schema: { params: ByKind, body: Choice } },
    async (request): Promise<Answers["PUT /alerts/:kind"]> => {
      const { accountId, personId } = request.session;
      const { kind } = request.params;
      await requireRight(deps.pool, request.session, rightOfAlert[kind]);
      const before = (await ownChoices(deps, request.session)).find((one) => one.kind === kind);
      if (!before) throw new ApiError("INSUFFICIENT_RIGHTS", { message: ofAllSedes });
      const choice: AlertChoice = { ...before, ...request.body };
      const { from_hour, to_hour } = choice;
      if (from_hour !== null && to_hour !== null && from_hour >= to_hour)
        throw validationError([{ param: "to_hour", message: "Debe ser después de la hora de apertura." }]);
      const at = deps.clock.now();
      await withAccountLock(deps, accountId, async (client) => {
        await setAlertChoice(client, accountId, personId, choice, at);
        const details = { kind, active: choice.active };
        await recordAudit(client, { accountId, at, action: "alert.set", details, actor: actorOf(request) });
      });
      const [answer] = await shownTo(deps, request.session, [choice]);
      return must(answer, "One choice is shown as one");
    },
  );
  app.put(
    "/order-settings",
    { config: { right: "settings:write", ofWhole: true }, schema: { body: OrderSettings } },
    async (request, reply) => {
      await setOrderWait(deps.pool, request.session.accountId, request.body.wait_minutes);
      return reply.code(204).send();
    },
  );
}

const ofAllSedes = "Esta alerta es de todo el negocio, y usted ve algunas sedes. Pídale a un dueño que se la cuente.";

async function ownChoices({ pool }: Deps, session: Session): Promise<AlertChoice[]> {
  const may = new Set(alertsFor(session));
  const chosen = await readChosen(pool, session.accountId);
  return choicesOf(chosen, session.personId, session.role === "owner").filter(({ kind }) => may.has(kind));
}
