import { withAccountLock } from "../../../access/accounts/account-lock.ts";
import { recordAudit } from "../../../access/accounts/record-audit.ts";
import type { Deps } from "../../../deps.ts";
import { nullable, oneOf, pesos } from "../../../engine/resources/fields.ts";
import { validationError } from "../../../lib/errors.ts";
import { must } from "../../../lib/must.ts";
import { Type } from "../../../lib/schema.ts";
import { type AlertChoice, ownerOf, readAlertChoices, setAlertChoice } from "../../../notices/alert-choices.ts";
import { alertKind, allAlerts } from "../../../notices/alert-kinds.ts";
import type { TypedApp } from "../../public/public-app.ts";
import type { Answers, ShownAlert } from "../answers.ts";
import { actorOf } from "./session-routes.ts";

const closed = { additionalProperties: false };
const ByKind = Type.Object({ kind: oneOf(allAlerts) }, closed);
const hourOfDay = nullable(Type.Integer({ minimum: 0, maximum: 24 }));
const Choice = Type.Object(
  {
    active: Type.Boolean(),
    amount: Type.Optional(nullable(pesos({ minimum: 1, maximum: 999_999_999 }))),
    from_hour: Type.Optional(hourOfDay),
    to_hour: Type.Optional(hourOfDay),
  },
  closed,
);

/** What whoever is signed in is told of by mail. */
export function alertRoutes(app: TypedApp, deps: Deps): void {
  app.get(
    "/alerts",
    { config: { right: "settings:read" } },
    async ({ session }): Promise<Answers["GET /alerts"]> => ({
      object: "list",
      data: (await readAlertChoices(deps.pool, session.accountId, ownerOf(session.accountId))).map(shown),
    }),
  );
  app.put(
    "/alerts/:kind",
    { config: { right: "settings:write" }, schema: { params: ByKind, body: Choice } },
    async (request): Promise<Answers["PUT /alerts/:kind"]> => {
      const { accountId } = request.session;
      const { kind } = request.params;
      const personId = ownerOf(accountId);
      const all = await readAlertChoices(deps.pool, accountId, personId);
      const before = must(
        all.find((one) => one.kind === kind),
        "Every kind has a choice",
      );
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
      return shown(choice);
    },
  );
}

function shown(choice: AlertChoice): ShownAlert {
  const { title, text } = alertKind(choice.kind);
  return { ...choice, title, text };
}
