import { withAccountLock } from "../../../access/accounts/account-lock.ts";
import { recordAudit } from "../../../access/accounts/record-audit.ts";
import type { Deps } from "../../../deps.ts";
import { validationError } from "../../../lib/errors.ts";
import { Type } from "../../../lib/schema.ts";
import { businessArchive } from "../../../privacy/business/archive.ts";
import type { TypedApp } from "../../public/public-app.ts";
import type { Answers } from "../answers.ts";
import { sendArchive } from "../tables/send-archive.ts";
import { downloadsOf } from "../tables/send-table.ts";
import { readAccount } from "./account.ts";
import { requestConfirmation } from "./confirmations.ts";
import { actorOf } from "./session-routes.ts";

/** Typed once more by hand: nobody closes a business by a click. */
const Closing = Type.Object({ name: Type.String({ minLength: 1, maxLength: 120 }) }, { additionalProperties: false });

/** All of the business as one file, and its end. */
export function accountEndRoutes(app: TypedApp, deps: Deps): void {
  const downloads = downloadsOf(app, deps);
  app.get(
    "/account/closing",
    { config: { right: "plan" } },
    async ({ session }): Promise<Answers["GET /account/closing"]> => {
      const { name } = await readAccount(deps.pool, session);
      return { name, days: deps.config.closedAccountDays };
    },
  );
  app.get("/account/export.zip", { exposeHeadRoute: false, config: { right: "plan" } }, async (request, reply) => {
    const { accountId } = request.session;
    const at = deps.clock.now();
    await withAccountLock(deps, accountId, (client) =>
      recordAudit(client, { accountId, at, action: "account.export", details: {}, actor: actorOf(request) }),
    );
    const { name } = await readAccount(deps.pool, request.session);
    const entries = businessArchive(deps.pool, accountId);
    return sendArchive(deps, downloads, request, reply, { title: name, entries });
  });
  app.post(
    "/account/close",
    { config: { right: "plan" }, schema: { body: Closing } },
    async ({ session, body }, reply) => {
      const { name } = await readAccount(deps.pool, session);
      if (body.name.trim() !== name)
        throw validationError([{ param: "name", message: `Escriba el nombre del negocio tal cual: ${name}.` }]);
      const payload = { name, days: deps.config.closedAccountDays };
      return reply.code(202).send(await requestConfirmation(deps, session, "account.close", payload));
    },
  );
}
