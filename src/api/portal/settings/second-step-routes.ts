import type { FastifyReply, FastifyRequest } from "fastify";
import { emailKeyOf, rememberDevice, sourceOf } from "../../../access/people/known-device.ts";
import type { StepAnswer } from "../../../access/people/second-step/answer.ts";
import { finishSignIn } from "../../../access/people/second-step/finish-sign-in.ts";
import { stepKinds } from "../../../access/people/second-step/kinds.ts";
import { mailForLostFactors } from "../../../access/people/second-step/lose-factors.ts";
import { authenticationOptions } from "../../../access/people/second-step/passkeys.ts";
import { alone, signInWithPasskey } from "../../../access/people/second-step/sign-in-with-passkey.ts";
import { findStage, type OpenedStage } from "../../../access/people/second-step/stage.ts";
import { clearStageCookie, setStageCookie, stageToken } from "../../../access/people/second-step/stage-cookie.ts";
import { browserToken, setBrowserCookie } from "../../../access/people/second-step/trusted-browser.ts";
import { setCookie } from "../../../access/people/session.ts";
import type { Deps } from "../../../deps.ts";
import { oneOf } from "../../../engine/resources/fields.ts";
import { validationError } from "../../../lib/errors.ts";
import { networkOf } from "../../../lib/network-of.ts";
import { Type } from "../../../lib/schema.ts";
import { type RateLimiter, takeOrRefuse } from "../../http/rate-limit.ts";
import type { TypedApp } from "../../public/public-app.ts";
import type { Answers } from "../answers.ts";

/** What the browser made of a passkey, as it gave it: the library judges it. */
export const Credential = Type.Object({}, { additionalProperties: true });
const PasskeyBody = Type.Object({ credential: Credential }, { additionalProperties: false });

/** A code of whatever kind: six digits, or a recovery code with or without its hyphens. */
export const StepBody = Type.Object(
  {
    kind: oneOf(stepKinds),
    code: Type.Optional(Type.String({ minLength: 1, maxLength: 40 })),
    credential: Type.Optional(Credential),
  },
  { additionalProperties: false },
);

export function answerOf({
  kind,
  code,
  credential,
}: {
  kind: string;
  code?: string | undefined;
  credential?: object | undefined;
}): StepAnswer {
  if (kind === "passkey") {
    if (credential === undefined)
      throw validationError([{ param: "credential", message: "Falta la respuesta de su llave de acceso." }]);
    return { kind, credential };
  }
  if (code === undefined) throw validationError([{ param: "code", message: "Falta el código." }]);
  const typed = code.trim();
  switch (kind) {
    case "recovery_code":
      return { kind, code: typed };
    case "mailed_code":
      return { kind, code: typed.replaceAll(/\D/g, "") };
    default:
      return { kind: "totp", code: typed.replaceAll(/\D/g, "") };
  }
}

/** The answer to a right password that is not enough: what may be shown besides, and the cookie that ties it to this browser. */
export function sendStage(
  reply: FastifyReply,
  deps: Deps,
  { token, id, kinds, expires_at }: OpenedStage,
): FastifyReply {
  setStageCookie(reply, deps.config, token);
  const asked: Answers["POST /session"] = { second_step: { id, kinds, expires_at } };
  return reply.code(202).send(asked);
}

/** The second half of a sign-in. */
export function secondStepRoutes(app: TypedApp, deps: Deps, limiter: RateLimiter): void {
  app.post("/session/second-step", { config: { isOpen: true }, schema: { body: StepBody } }, async (request, reply) => {
    takeOrRefuse(limiter, `address ${networkOf(request.ip)}`);
    const now = deps.clock.now();
    const signedIn = await finishSignIn(deps, answerOf(request.body), {
      stageToken: stageToken(request, deps.config),
      browserToken: browserToken(request, deps.config),
      remoteAddress: request.ip,
      sourceFor: (email) => sourceOf(request, deps.config, emailKeyOf(email), now),
    });
    clearStageCookie(reply, deps.config);
    return sendEntered(request, reply, deps, signedIn);
  });
  app.post("/session/second-step/passkey", { config: { isOpen: true } }, async (request) => {
    takeOrRefuse(limiter, `address ${networkOf(request.ip)}`);
    const stage = await findStage(deps.pool, stageToken(request, deps.config), deps.clock.now());
    return authenticationOptions(deps, `sign-in ${stage.id}`, stage.person_id);
  });
  app.post("/session/passkey/options", { config: { isOpen: true } }, (request) => {
    takeOrRefuse(limiter, `address ${networkOf(request.ip)}`);
    return authenticationOptions(deps, alone);
  });
  app.post("/session/passkey", { config: { isOpen: true }, schema: { body: PasskeyBody } }, async (request, reply) => {
    takeOrRefuse(limiter, `address ${networkOf(request.ip)}`);
    const signedIn = await signInWithPasskey(deps, request.body.credential, {
      browserToken: browserToken(request, deps.config),
      remoteAddress: request.ip,
      userAgent: request.headers["user-agent"] ?? null,
      sourceFor: (email) => sourceOf(request, deps.config, emailKeyOf(email), deps.clock.now()),
    });
    return sendEntered(request, reply, deps, signedIn);
  });
  app.post("/session/second-step/lost", { config: { isOpen: true } }, async (request, reply) => {
    takeOrRefuse(limiter, `address ${networkOf(request.ip)}`);
    await mailForLostFactors(deps, stageToken(request, deps.config));
    return reply.code(202).send({ kinds: ["mailed_code"] } satisfies Answers["POST /session/second-step/lost"]);
  });
}

/** A session in a browser that need not show more for a while. */
function sendEntered(
  request: FastifyRequest,
  reply: FastifyReply,
  { config, clock }: Deps,
  { token, browserToken: trusted, email, account }: Awaited<ReturnType<typeof finishSignIn>>,
): FastifyReply {
  setCookie(reply, config, token);
  setBrowserCookie(reply, config, trusted);
  rememberDevice(request, reply, config, emailKeyOf(email), clock.now());
  return reply.code(201).send({ account: { id: account.id, name: account.name, email, plan: account.plan } });
}
