import type { FastifyReply, FastifyRequest } from "fastify";
import { maxEmailLength, maxPasswordLength } from "../../../access/accounts/password.ts";
import type { Actor } from "../../../access/accounts/record-audit.ts";
import { emailKeyOf, rememberDevice, sourceOf } from "../../../access/people/known-device.ts";
import { roleIn } from "../../../access/people/membership.ts";
import { newPassword, requestReset, resetPassword } from "../../../access/people/password-reset.ts";
import { browserToken } from "../../../access/people/second-step/trusted-browser.ts";
import { closeSession, cookieOf, setCookie } from "../../../access/people/session.ts";
import { signIn } from "../../../access/people/sign-in.ts";
import { openElsewhere, switchAccount } from "../../../access/people/switch-account.ts";
import { undoEmailChange } from "../../../access/people/undo-email-change.ts";
import type { Deps, ServedDeps } from "../../../deps.ts";
import { ById, uuid } from "../../../engine/resources/fields.ts";
import { networkOf } from "../../../lib/network-of.ts";
import { Type } from "../../../lib/schema.ts";
import { mailboxPath } from "../../../mail/transport.ts";
import { type RateLimiter, rateLimiter, takeOrRefuse } from "../../http/rate-limit.ts";
import type { TypedApp } from "../../public/public-app.ts";
import type { Answers } from "../answers.ts";
import { aboutPerson } from "./about-person.ts";
import { readAccount } from "./account.ts";
import { confirm } from "./confirmations.ts";
import { invitationRoutes } from "./invitation-routes.ts";
import { mailedCodeField } from "./mailed-code-field.ts";
import { secondStepRoutes, sendStage } from "./second-step-routes.ts";
import { signUpRoutes } from "./sign-up-routes.ts";
import { objectionRoutes } from "./told-routes.ts";

const closed = { additionalProperties: false };
const SignIn = Type.Object(
  {
    email: Type.String({ minLength: 3, maxLength: maxEmailLength }),
    password: Type.String({ minLength: 1, maxLength: maxPasswordLength }),
  },
  closed,
);
const Business = Type.Object({ account_id: uuid() }, closed);
const code = mailedCodeField;
const Codes = Type.Object({ code, new_email_code: Type.Optional(code) }, closed);
const SteppedUp = Type.Object({ new_email_code: Type.Optional(code) }, closed);
const Reset = Type.Object({ email: Type.String({ minLength: 3, maxLength: maxEmailLength }) }, closed);
const NewPassword = Type.Object({ code, password: newPassword }, closed);
const Undo = Type.Object({ token: Type.String({ minLength: 1, maxLength: 100 }) }, closed);

/** Each password costs 0.2 s of CPU time: one address, or one known browser, may try no faster than a person. */
const triesPerMinute = 20;

export function sessionRoutes(app: TypedApp, deps: ServedDeps): void {
  const limiter = rateLimiter(triesPerMinute / 60, triesPerMinute);
  deps.sharedLimits?.join("sign-in", limiter);
  app.post("/session", { config: { isOpen: true }, schema: { body: SignIn } }, async (request, reply) => {
    const now = deps.clock.now();
    const key = emailKeyOf(request.body.email);
    const source = sourceOf(request, deps.config, key, now);
    takeOrRefuse(limiter, source.name);
    const from = { remoteAddress: request.ip, userAgent: request.headers["user-agent"] ?? null };
    const entered = await signIn(deps, request.body, source, from, browserToken(request, deps.config));
    if ("stage" in entered) return sendStage(reply, deps, entered.stage);
    setCookie(reply, deps.config, entered.token);
    rememberDevice(request, reply, deps.config, key, now);
    return reply.code(201).send({ account: entered.account });
  });
  secondStepRoutes(app, deps, limiter);
  objectionRoutes(app, deps, limiter);
  app.get("/session", { config: { right: "anyone" } }, async (request): Promise<Answers["GET /session"]> => {
    const { accountId, id, hasPro, mustEnrol } = request.session;
    const [{ name, email, plan }, about] = await Promise.all([
      readAccount(deps.pool, request.session),
      aboutPerson(deps.pool, request.session),
    ]);
    const { environment, devMail } = deps.config;
    // Without SMTP, mails stay on this machine: newcomers find their code in this mailbox.
    const mailbox = devMail === "off" ? null : mailboxPath;
    const account = { id: accountId, name, email, plan };
    return {
      id,
      account,
      ...about,
      has_pro: hasPro,
      must_enrol: mustEnrol,
      environment,
      mailbox,
      server_time: deps.clock.now(),
    };
  });
  app.post("/session/account", { config: { right: "anyone" }, schema: { body: Business } }, async (request, reply) => {
    const token = cookieOf(request, deps.config) ?? "";
    await switchAccount(deps, request.session, {
      accountId: request.body.account_id,
      token,
      remoteAddress: request.ip,
    });
    return reply.code(204).send();
  });
  app.delete("/session", { config: { isOpen: true } }, async (request, reply) => {
    await closeSession(deps, request);
    setCookie(reply, deps.config, "", 0);
    return reply.code(204).send();
  });
  resetRoutes(app, deps, limiter);
  invitationRoutes(app, deps, limiter);
  signUpRoutes(app, deps, limiter);
  confirmationRoutes(app, deps);
}

/** What was asked for with a code, confirmed. */
function confirmationRoutes(app: TypedApp, deps: Deps): void {
  app.post(
    "/confirmations/:id",
    { config: { right: "anyone" }, schema: { params: ById, body: Codes } },
    async (request, reply) => {
      const result = await confirm(deps, request.session, request.params.id, request.body, actorOf(request));
      await landElsewhere(deps, request, reply, result);
      return reply.code(201).send(result);
    },
  );
  // The second step that its session just did, instead of the code that was mailed to whoever acts.
  app.post(
    "/confirmations/:id/second-step",
    { config: { right: "anyone" }, schema: { params: ById, body: SteppedUp } },
    async (request, reply) => {
      const given = { ...request.body, steppedUp: true } as const;
      const result = await confirm(deps, request.session, request.params.id, given, actorOf(request));
      await landElsewhere(deps, request, reply, result);
      return reply.code(201).send(result);
    },
  );
}

/** Whoever closed one of her businesses goes on in another. */
async function landElsewhere(deps: Deps, request: FastifyRequest, reply: FastifyReply, result: object): Promise<void> {
  if (!("data_goes_at" in result)) return;
  const from = { remoteAddress: request.ip, userAgent: request.headers["user-agent"] ?? null };
  const token = await openElsewhere(deps, request.session, from);
  if (token !== undefined) setCookie(reply, deps.config, token);
}

/** For owners who cannot sign in. */
function resetRoutes(app: TypedApp, deps: Deps, limiter: RateLimiter): void {
  app.post("/password-resets", { config: { isOpen: true }, schema: { body: Reset } }, async (request, reply) => {
    const { email } = request.body;
    const source = sourceOf(request, deps.config, emailKeyOf(email), deps.clock.now());
    takeOrRefuse(limiter, source.name);
    const asked: Answers["POST /password-resets"] = await requestReset(deps, email, source);
    return reply.code(202).send(asked);
  });
  app.post(
    "/password-resets/:id",
    { config: { isOpen: true }, schema: { params: ById, body: NewPassword } },
    async (request, reply) => {
      takeOrRefuse(limiter, `address ${networkOf(request.ip)}`);
      const { email } = await resetPassword(deps, request.params.id, request.body, request.ip);
      // From now on this browser is known, and failed sign-ins from elsewhere do not lock it out.
      rememberDevice(request, reply, deps.config, emailKeyOf(email), deps.clock.now());
      return reply.code(204).send();
    },
  );
  // The link in the mail opens a page with a button, because mail scanners open links but press no buttons.
  app.post("/email-undo", { config: { isOpen: true }, schema: { body: Undo } }, async (request) => {
    const source = { name: `address ${networkOf(request.ip)}`, isKnown: false };
    takeOrRefuse(limiter, source.name);
    const { email } = await undoEmailChange(deps, request.body.token, request.ip);
    return { email, ...(await requestReset(deps, email, source)) } satisfies Answers["POST /email-undo"];
  });
}

export function actorOf(request: FastifyRequest): Actor {
  const { id, personId } = request.session;
  return { kind: "owner", sessionId: id, remoteAddress: request.ip, personId, role: roleIn(request.session) };
}
