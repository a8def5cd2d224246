import { maxEmailLength, maxPasswordLength } from "../../../access/accounts/password.ts";
import { renameAccount } from "../../../access/accounts/rename-account.ts";
import { changePassword } from "../../../access/people/change-password.ts";
import { newPassword } from "../../../access/people/password-reset.ts";
import { revokeOtherSessions, revokeSession } from "../../../access/people/revoke-session.ts";
import { checkPassword } from "../../../access/people/sign-in.ts";
import type { Deps } from "../../../deps.ts";
import { ById, label } from "../../../engine/resources/fields.ts";
import { ApiError, validationError } from "../../../lib/errors.ts";
import { Type } from "../../../lib/schema.ts";
import type { TypedApp } from "../../public/public-app.ts";
import type { Answers } from "../answers.ts";
import { isEmailOfAnotherAccount, readAccount } from "./account.ts";
import { requestConfirmation } from "./confirmations.ts";
import { actorOf } from "./session-routes.ts";
import { listSessions } from "./sessions.ts";

const closed = { additionalProperties: false };
const Name = Type.Object({ name: label(120) }, closed);
const current = Type.String({ minLength: 1, maxLength: maxPasswordLength });
const Email = Type.Object(
  { email: Type.String({ format: "email", maxLength: maxEmailLength }), current_password: current },
  closed,
);
const Password = Type.Object({ current_password: current, new_password: newPassword }, closed);

/** The account itself: its name, the owner's address and password and the open sessions. */
export function accountRoutes(app: TypedApp, deps: Deps): void {
  app.get("/account", (request): Promise<Answers["GET /account"]> => readAccount(deps.pool, request.session.accountId));
  app.patch("/account", { schema: { body: Name } }, async (request): Promise<Answers["PATCH /account"]> => {
    const { accountId } = request.session;
    await renameAccount(deps, accountId, request.body.name.trim(), actorOf(request));
    return readAccount(deps.pool, accountId);
  });
  app.post("/account/email", { schema: { body: Email } }, async ({ session, body }, reply) => {
    const email = body.email.trim();
    await checkPassword(deps, session, body.current_password);
    const { email: old_email } = await readAccount(deps.pool, session.accountId);
    if (email === old_email)
      throw validationError([{ param: "email", message: "Es el mismo correo que ya tiene la cuenta." }]);
    if (await isEmailOfAnotherAccount(deps.pool, session.accountId, email))
      throw new ApiError("EMAIL_TAKEN", { param: "email" });
    return reply.code(202).send(await requestConfirmation(deps, session, "account.change_email", { email, old_email }));
  });
  app.post("/account/password", { schema: { body: Password } }, async (request, reply) => {
    await changePassword(deps, request.session, request.body, actorOf(request));
    return reply.code(204).send();
  });

  app.get(
    "/sessions",
    async ({ session }): Promise<Answers["GET /sessions"]> => ({
      object: "list",
      data: await listSessions(deps.pool, session, deps.clock.now()),
    }),
  );
  app.delete("/sessions", async (request): Promise<Answers["DELETE /sessions"]> => {
    return { closed: await revokeOtherSessions(deps, request.session, actorOf(request)) };
  });
  app.delete("/sessions/:id", { schema: { params: ById } }, async (request, reply) => {
    await revokeSession(deps, request.session.accountId, request.params.id, actorOf(request));
    return reply.code(204).send();
  });
}
