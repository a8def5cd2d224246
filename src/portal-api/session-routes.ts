import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { Actor } from "../accounts/record-audit.ts";
import type { Deps } from "../deps.ts";
import type { TypedApp } from "../http/public-app.ts";
import { rateLimited, rateLimiter } from "../http/rate-limit.ts";
import { uuid } from "../resources/fields.ts";
import { confirm } from "./confirmations.ts";
import { closeSession, setCookie } from "./session.ts";
import { signIn } from "./sign-in.ts";

const closed = { additionalProperties: false };
const SignIn = Type.Object(
  { email: Type.String({ minLength: 3, maxLength: 200 }), password: Type.String({ minLength: 1, maxLength: 200 }) },
  closed,
);
const Code = Type.Object(
  { code: Type.String({ pattern: "^\\d{6}$", "x-hints": { pattern: "El código tiene 6 dígitos." } }) },
  closed,
);

/** Each password costs 0.2 s of a core: one address may try no faster than a person. */
const triesPerMinute = 20;

export function sessionRoutes(app: TypedApp, deps: Deps): void {
  const tries = rateLimiter(triesPerMinute / 60, triesPerMinute);
  app.post("/session", { config: { isOpen: true }, schema: { body: SignIn } }, async (request, reply) => {
    if (!tries.take(request.ip)) throw rateLimited(tries.state(request.ip));
    const { token, account } = await signIn(deps, request.body, request.ip);
    setCookie(reply, deps.config, token);
    return reply.code(201).send({ account });
  });
  app.delete("/session", { config: { isOpen: true } }, async (request, reply) => {
    await closeSession(deps, request);
    setCookie(reply, deps.config, "", 0);
    return reply.code(204).send();
  });
  app.post(
    "/confirmations/:id",
    { schema: { params: Type.Object({ id: uuid() }, closed), body: Code } },
    async (request, reply) => {
      const outcome = await confirm(deps, request.session, request.params.id, request.body.code, actorOf(request));
      return reply.code(201).send(outcome);
    },
  );
}

export function actorOf(request: FastifyRequest): Actor {
  return { sessionId: request.session.id, remoteAddress: request.ip };
}
