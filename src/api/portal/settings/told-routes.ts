import { emailKeyOf, sourceOf } from "../../../access/people/known-device.ts";
import { requestReset } from "../../../access/people/password-reset.ts";
import { markSeen, readBell } from "../../../access/people/told/bell.ts";
import { object } from "../../../access/people/told/object.ts";
import type { Deps } from "../../../deps.ts";
import { networkOf } from "../../../lib/network-of.ts";
import { Type } from "../../../lib/schema.ts";
import { type RateLimiter, takeOrRefuse } from "../../http/rate-limit.ts";
import type { TypedApp } from "../../public/public-app.ts";
import type { Answers } from "../answers.ts";

const Objection = Type.Object(
  { token: Type.String({ minLength: 1, maxLength: 100 }) },
  { additionalProperties: false },
);
const own = { right: "anyone" } as const;

/** What a person was told, and "no fui yo". */
export function toldRoutes(app: TypedApp, deps: Deps): void {
  app.get("/notices", { config: own }, async ({ session }): Promise<Answers["GET /notices"]> => {
    return { object: "list", ...(await readBell(deps.pool, session, deps.clock.now())) };
  });
  app.post("/notices/seen", { config: own }, async ({ session }, reply) => {
    await markSeen(deps.pool, session, deps.clock.now());
    return reply.code(204).send();
  });
}

/** The link in the mail opens a page with a button, because mail scanners open links but press no buttons. */
export function objectionRoutes(app: TypedApp, deps: Deps, limiter: RateLimiter): void {
  app.post("/objections", { config: { isOpen: true }, schema: { body: Objection } }, async (request) => {
    takeOrRefuse(limiter, `address ${networkOf(request.ip)}`);
    const { email, isOwnAct } = await object(deps, request.body.token, request.ip);
    deps.access.clear();
    const source = sourceOf(request, deps.config, emailKeyOf(email), deps.clock.now());
    const reset = isOwnAct ? await requestReset(deps, email, source) : null;
    return { email, reset } satisfies Answers["POST /objections"];
  });
}
