import { maxEmailLength } from "../../../access/accounts/password.ts";
import { emailKeyOf, rememberDevice, sourceOf } from "../../../access/people/known-device.ts";
import { newPassword } from "../../../access/people/password-reset.ts";
import { setCookie } from "../../../access/people/session.ts";
import { signIn } from "../../../access/people/sign-in.ts";
import { confirmSignUp, requestSignUp } from "../../../access/people/sign-up.ts";
import { openAccount } from "../../../business/opening/open-account.ts";
import type { ServedDeps } from "../../../deps.ts";
import { ById, label } from "../../../engine/resources/fields.ts";
import { networkOf } from "../../../lib/network-of.ts";
import { Type } from "../../../lib/schema.ts";
import { type RateLimiter, takeOrRefuse } from "../../http/rate-limit.ts";
import type { TypedApp } from "../../public/public-app.ts";
import type { Answers } from "../answers.ts";
import { mailedCodeField } from "./mailed-code-field.ts";
import { sendStage } from "./second-step-routes.ts";

const closed = { additionalProperties: false };
const Wish = Type.Object({ email: Type.String({ format: "email", maxLength: maxEmailLength }) }, closed);
const Opening = Type.Object({ code: mailedCodeField, name: label(120), password: newPassword }, closed);

/** A business that somebody opens by himself: mail, code, its name and a password. SIGNUP says who may. */
export function signUpRoutes(app: TypedApp, deps: ServedDeps, limiter: RateLimiter): void {
  app.get("/sign-ups", { config: { isOpen: true } }, (): Answers["GET /sign-ups"] => ({ who: deps.config.signUp }));
  app.post("/sign-ups", { config: { isOpen: true }, schema: { body: Wish } }, async (request, reply) => {
    const { email } = request.body;
    const source = sourceOf(request, deps.config, emailKeyOf(email), deps.clock.now());
    takeOrRefuse(limiter, source.name);
    const asked: Answers["POST /sign-ups"] = await requestSignUp(deps, email, source);
    return reply.code(202).send(asked);
  });
  app.post(
    "/sign-ups/:id",
    { config: { isOpen: true }, schema: { params: ById, body: Opening } },
    async (request, reply) => {
      takeOrRefuse(limiter, `address ${networkOf(request.ip)}`);
      const { code, name, password } = request.body;
      const opening = await confirmSignUp(deps, request.params.id, { code, business: name.trim(), password });
      await openAccount(deps, opening);
      const key = emailKeyOf(opening.email);
      const now = deps.clock.now();
      const from = { remoteAddress: request.ip, userAgent: request.headers["user-agent"] ?? null };
      const entered = await signIn(deps, opening, sourceOf(request, deps.config, key, now), from);
      if ("stage" in entered) return sendStage(reply, deps, entered.stage);
      setCookie(reply, deps.config, entered.token);
      rememberDevice(request, reply, deps.config, key, now);
      return reply.code(204).send();
    },
  );
}
