import type { FastifyInstance } from "fastify";
import type { Clock } from "../../lib/clock.ts";
import { unavailable } from "./error-handler.ts";
import type { RequestKind } from "./request-kind.ts";

const writes: ReadonlySet<RequestKind | undefined> = new Set(["write", "push"]);

/** An operator or NTP corrects the clock, the latter within a minute; other processes may be right meanwhile. */
const retryAfterSeconds = 15;

/** Refuses writes while the clock is not trusted; reads continue. */
export function refuseWritesByWrongClock(app: FastifyInstance, clock: Required<Pick<Clock, "isTrusted">>): void {
  app.addHook("onRequest", (request, _reply, next) => {
    const isRefused = writes.has(request.routeOptions.config.kind) && !clock.isTrusted();
    next(isRefused ? unavailable(retryAfterSeconds) : undefined);
  });
}
