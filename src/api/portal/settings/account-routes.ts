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
import { isEmailOfAnotherPerson, readAccount } from "./account.ts";
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
  app.get(
    "/account",
    { config: { right: "anyone" } },
    (request): Promise<Answers["GET /account"]> => readAccount(deps.pool, request.session),
  );
  app.patch(
    "/account",
    { config: { right: "settings:write", ofWhole: true }, schema: { body: Name } },
    async (request): Promise<Answers["PATCH /account"]> => {
      await renameAccount(deps, request.session.accountId, request.body.name.trim(), actorOf(request));
      return readAccount(deps.pool, request.session);
    },
  );
  app.post(
    "/account/email",
    { config: { right: "anyone" }, schema: { body: Email } },
    async ({ session, body }, reply) => {
      const email = body.email.trim();
      await checkPassword(deps, session, body.current_password);
      const { email: old_email } = await readAccount(deps.pool, session);
      if (email === old_email)
        throw validationError([{ param: "email", message: "Es el mismo correo con el que ya entra." }]);
      if (await isEmailOfAnotherPerson(deps.pool, session.personId, email))
        throw new ApiError("EMAIL_TAKEN", { param: "email" });
      return reply
        .code(202)
        .send(await requestConfirmation(deps, session, "account.change_email", { email, old_email }));
    },
  );
  app.post("/account/password", { config: { right: "anyone" }, schema: { body: Password } }, async (request, reply) => {
    await changePassword(deps, request.session, request.body, actorOf(request));
    return reply.code(204).send();
  });

  app.get(
    "/sessions",
    { config: { right: "anyone" } },
    async ({ session }): Promise<Answers["GET /sessions"]> => ({
      object: "list",
      data: await listSessions(deps.pool, session, deps.clock.now()),
    }),
  );
  app.delete("/sessions", { config: { right: "anyone" } }, async (request): Promise<Answers["DELETE /sessions"]> => {
    return { closed: await revokeOtherSessions(deps, request.session, actorOf(request)) };
  });
  app.delete("/sessions/:id", { config: { right: "anyone" }, schema: { params: ById } }, async (request, reply) => {
    await revokeSession(deps, request.session, request.params.id, actorOf(request));
    return reply.code(204).send();
  });
}
