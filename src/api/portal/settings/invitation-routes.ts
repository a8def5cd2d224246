import { maxPasswordLength } from "../../../access/accounts/password.ts";
import { acceptInvitation, lookAtInvitation } from "../../../access/people/accept-invitation.ts";
import { emailKeyOf, rememberDevice, sourceOf } from "../../../access/people/known-device.ts";
import { browserToken } from "../../../access/people/second-step/trusted-browser.ts";
import { setCookie } from "../../../access/people/session.ts";
import type { Deps } from "../../../deps.ts";
import { text } from "../../../engine/resources/fields.ts";
import { networkOf } from "../../../lib/network-of.ts";
import { Type } from "../../../lib/schema.ts";
import { type RateLimiter, takeOrRefuse } from "../../http/rate-limit.ts";
import type { TypedApp } from "../../public/public-app.ts";
import type { Answers } from "../answers.ts";
import { sendStage } from "./second-step-routes.ts";

const closed = { additionalProperties: false };
const token = Type.String({ minLength: 1, maxLength: 100 });
const Look = Type.Object({ token }, closed);
const Accepted = Type.Object(
  { token, name: Type.Optional(text(120)), password: Type.String({ minLength: 1, maxLength: maxPasswordLength }) },
  closed,
);

/** The link of an invitation. Its secret is in the fragment, which no server logs, and comes in the body. */
export function invitationRoutes(app: TypedApp, deps: Deps, limiter: RateLimiter): void {
  app.post("/invitation-looks", { config: { isOpen: true }, schema: { body: Look } }, (request) => {
    takeOrRefuse(limiter, `address ${networkOf(request.ip)}`);
    return lookAtInvitation(deps, request.body.token) satisfies Promise<Answers["POST /invitation-looks"]>;
  });
  app.post("/invitations/accept", { config: { isOpen: true }, schema: { body: Accepted } }, async (request, reply) => {
    takeOrRefuse(limiter, `address ${networkOf(request.ip)}`);
    const now = deps.clock.now();
    const { email } = await lookAtInvitation(deps, request.body.token);
    const source = sourceOf(request, deps.config, emailKeyOf(email), now);
    const from = { remoteAddress: request.ip, userAgent: request.headers["user-agent"] ?? null };
    const accepted = { ...request.body, name: (request.body.name ?? "").trim() };
    const entered = await acceptInvitation(deps, accepted, source, from, browserToken(request, deps.config));
    if ("stage" in entered) return sendStage(reply, deps, entered.stage);
    setCookie(reply, deps.config, entered.token);
    rememberDevice(request, reply, deps.config, emailKeyOf(email), now);
    return reply.code(204).send();
  });
}
