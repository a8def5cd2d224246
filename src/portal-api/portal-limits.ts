import type { FastifyRequest } from "fastify";
import type { Deps } from "../deps.ts";
import { rateLimited, rateLimiter } from "../http/rate-limit.ts";
import { limitsOf } from "../http/traffic-limits.ts";
import { ApiError } from "../lib/errors.ts";
import { networkOf } from "../lib/network-of.ts";
import { cookieOf, readSession, type Session } from "./session.ts";

/** Sessions seen here lately; a set of these is forgotten as a whole. */
const mostKnown = 10_000;

export interface PortalDoor {
  /** Whoever calls without being signed in. */
  admitStranger(request: FastifyRequest): void;
  /** The session of a request, as long as its account does not ask faster than people do. */
  admitSession(request: FastifyRequest): Promise<Session>;
}

/**
 * The portal's allowances: by account for whoever is signed in, by address for everyone else. A cookie that leads nowhere
 * is a stranger's; past his allowance only cookies that were good a moment ago are still looked up.
 */
export function portalDoor(deps: Deps): PortalDoor {
  const { portalPerSecond, portalBurst } = limitsOf(deps);
  const accounts = rateLimiter(portalPerSecond, portalBurst);
  const strangers = rateLimiter(portalPerSecond, portalBurst);
  deps.sharedLimits?.join("portal", accounts);
  deps.sharedLimits?.join("portal stranger", strangers);
  const known = new Set<string>();

  function admitStranger({ ip }: FastifyRequest): void {
    const network = networkOf(ip);
    if (!strangers.take(network)) throw rateLimited(strangers.state(network));
  }

  return {
    admitStranger,
    async admitSession(request) {
      const cookie = cookieOf(request, deps.config);
      const state = strangers.state(networkOf(request.ip));
      if (state.remaining === 0 && (cookie === undefined || !known.has(cookie))) throw rateLimited(state);
      try {
        const session = await readSession(deps, request);
        if (known.size >= mostKnown) known.clear();
        known.add(cookie!);
        if (!accounts.take(session.accountId)) throw rateLimited(accounts.state(session.accountId));
        return session;
      } catch (error) {
        if (error instanceof ApiError && error.code === "SESSION_REQUIRED") {
          known.delete(cookie ?? "");
          admitStranger(request);
        }
        throw error;
      }
    },
  };
}
