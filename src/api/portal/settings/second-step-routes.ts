import type { FastifyReply } from "fastify";
import { emailKeyOf, rememberDevice, sourceOf } from "../../../access/people/known-device.ts";
import type { StepAnswer } from "../../../access/people/second-step/answer.ts";
import { finishSignIn } from "../../../access/people/second-step/finish-sign-in.ts";
import { stepKinds } from "../../../access/people/second-step/kinds.ts";
import { mailForLostFactors } from "../../../access/people/second-step/lose-factors.ts";
import type { OpenedStage } from "../../../access/people/second-step/stage.ts";
import { clearStageCookie, setStageCookie, stageToken } from "../../../access/people/second-step/stage-cookie.ts";
import { browserToken, setBrowserCookie } from "../../../access/people/second-step/trusted-browser.ts";
import { setCookie } from "../../../access/people/session.ts";
import type { Deps } from "../../../deps.ts";
import { oneOf } from "../../../engine/resources/fields.ts";
import { validationError } from "../../../lib/errors.ts";
import { networkOf } from "../../../lib/network-of.ts";
import { Type } from "../../../lib/schema.ts";
import type { RateLimiter } from "../../http/rate-limit.ts";
import type { TypedApp } from "../../public/public-app.ts";
import type { Answers } from "../answers.ts";
import { takeTry } from "./take-try.ts";

/** A code of whatever kind: six digits, or a recovery code with or without its hyphens. */
export const StepBody = Type.Object(
  { kind: oneOf(stepKinds), code: Type.Optional(Type.String({ minLength: 1, maxLength: 40 })) },
  { additionalProperties: false },
);

export function answerOf({ kind, code }: { kind: string; code?: string | undefined }): StepAnswer {
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
    takeTry(limiter, `address ${networkOf(request.ip)}`);
    const now = deps.clock.now();
    const signedIn = await finishSignIn(deps, answerOf(request.body), {
      stageToken: stageToken(request, deps.config),
      browserToken: browserToken(request, deps.config),
      sourceFor: (email) => sourceOf(request, deps.config, emailKeyOf(email), now),
    });
    setCookie(reply, deps.config, signedIn.token);
    clearStageCookie(reply, deps.config);
    setBrowserCookie(reply, deps.config, signedIn.browserToken);
    rememberDevice(request, reply, deps.config, emailKeyOf(signedIn.email), now);
    return reply.code(201).send({ account: signedIn.account });
  });
  app.post("/session/second-step/lost", { config: { isOpen: true } }, async (request, reply) => {
    takeTry(limiter, `address ${networkOf(request.ip)}`);
    await mailForLostFactors(deps, stageToken(request, deps.config));
    return reply.code(202).send({ kinds: ["mailed_code"] } satisfies Answers["POST /session/second-step/lost"]);
  });
}
