import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import { longestEmail, longestPassword } from "../accounts/password.ts";
import type { Actor } from "../accounts/record-audit.ts";
import { sql } from "../db/sql.ts";
import type { Deps } from "../deps.ts";
import type { TypedApp } from "../http/public-app.ts";
import { type RateLimiter, rateLimited, rateLimiter } from "../http/rate-limit.ts";
import { mailboxPath } from "../mail/mailbox-routes.ts";
import { ById, uuid } from "../resources/fields.ts";
import { confirm } from "./confirmations.ts";
import { askReset, newPassword, resetPassword } from "./password-reset.ts";
import { closeSession, setCookie } from "./session.ts";
import { signIn } from "./sign-in.ts";

const closed = { additionalProperties: false };
const SignIn = Type.Object(
  {
    email: Type.String({ minLength: 3, maxLength: longestEmail }),
    password: Type.String({ minLength: 1, maxLength: longestPassword }),
  },
  closed,
);
const code = Type.String({ pattern: "^\\d{6}$", "x-hints": { pattern: "El código tiene 6 dígitos." } });
const Code = Type.Object({ code }, closed);
const Reset = Type.Object({ email: Type.String({ minLength: 3, maxLength: longestEmail }) }, closed);
const NewPassword = Type.Object({ code, password: newPassword }, closed);

/** Each password costs 0.2 s of a core: one address may try no faster than a person. */
const triesPerMinute = 20;

export function sessionRoutes(app: TypedApp, deps: Deps): void {
  const tries = rateLimiter(triesPerMinute / 60, triesPerMinute);
  deps.sharedLimits?.join("sign-in", tries);
  app.post("/session", { config: { isOpen: true }, schema: { body: SignIn } }, async (request, reply) => {
    if (!tries.take(request.ip)) throw rateLimited(tries.state(request.ip));
    const { token, account } = await signIn(deps, request.body, request.ip, request.headers["user-agent"] ?? null);
    setCookie(reply, deps.config, token);
    return reply.code(201).send({ account });
  });
  app.get("/session", async (request) => {
    const { accountId, id, hasPro } = request.session;
    const { rows } = await deps.pool.query(sql`select id, name, email, plan from accounts where id = ${accountId}`);
    const { environment, smtpUrl } = deps.config;
    // Where mails land when none leave the machine: a newcomer finds his code there.
    const mailbox = environment === "test" && smtpUrl === undefined ? mailboxPath : null;
    return { id, account: rows[0], has_pro: hasPro, environment, mailbox, server_time: deps.clock.now() };
  });
  app.delete("/session", { config: { isOpen: true } }, async (request, reply) => {
    await closeSession(deps, request);
    setCookie(reply, deps.config, "", 0);
    return reply.code(204).send();
  });
  resetRoutes(app, deps, tries);
  app.post(
    "/confirmations/:id",
    { schema: { params: Type.Object({ id: uuid() }, closed), body: Code } },
    async (request, reply) => {
      const outcome = await confirm(deps, request.session, request.params.id, request.body.code, actorOf(request));
      return reply.code(201).send(outcome);
    },
  );
}

function resetRoutes(app: TypedApp, deps: Deps, tries: RateLimiter): void {
  app.post("/password-resets", { config: { isOpen: true }, schema: { body: Reset } }, async (request, reply) => {
    if (!tries.take(request.ip)) throw rateLimited(tries.state(request.ip));
    return reply.code(202).send(await askReset(deps, request.body.email));
  });
  app.post(
    "/password-resets/:id",
    { config: { isOpen: true }, schema: { params: ById, body: NewPassword } },
    async (request, reply) => {
      if (!tries.take(request.ip)) throw rateLimited(tries.state(request.ip));
      await resetPassword(deps, request.params.id, request.body, request.ip);
      return reply.code(204).send();
    },
  );
}

export function actorOf(request: FastifyRequest): Actor {
  return { kind: "owner", sessionId: request.session.id, remoteAddress: request.ip };
}
