import { setTimeout as delay } from "node:timers/promises";
import type { FastifyRequest } from "fastify";
import { cookieOf, readSession, type Session } from "../../access/people/session.ts";
import type { Deps } from "../../deps.ts";
import { second } from "../../lib/clock.ts";
import { ApiError } from "../../lib/errors.ts";
import { networkOf } from "../../lib/network-of.ts";
import { rateLimited, rateLimiter } from "../http/rate-limit.ts";
import { limitsOf } from "../http/traffic-limits.ts";

/** Recently seen sessions; when there are more, all are dropped. */
const maxKnown = 10_000;
/** Refusals are delayed this long, to slow down clients that retry at once. */
const refusalDelayMs = second;

export interface PortalLimits {
  /** Throws if an address without a session makes too many requests. */
  admitAnonymous(request: FastifyRequest): void;
  /** The session of a request, unless its account makes too many. */
  admitSession(request: FastifyRequest): Promise<Session>;
}

/**
 * The portal's rate limits: by account with a session, by address without. An invalid cookie counts against its address;
 * once that limit is reached, only cookies that were valid a moment ago are still looked up.
 */
export function portalLimits(deps: Deps): PortalLimits {
  const { portalPerSecond, portalBurst } = limitsOf(deps);
  const accounts = rateLimiter(portalPerSecond, portalBurst);
  const anonymous = rateLimiter(portalPerSecond, portalBurst);
  deps.sharedLimits?.join("portal", accounts);
  deps.sharedLimits?.join("portal stranger", anonymous);
  /** The account of each cookie that was valid a moment ago. */
  const known = new Map<string, string>();

  function admitAnonymous({ ip }: FastifyRequest): void {
    const network = networkOf(ip);
    if (!anonymous.take(network)) throw rateLimited(anonymous.state(network));
  }

  async function admitAccount(accountId: string): Promise<void> {
    if (accounts.take(accountId)) return;
    await delay(refusalDelayMs);
    throw rateLimited(accounts.state(accountId));
  }

  return {
    admitAnonymous,
    async admitSession(request) {
      const cookie = cookieOf(request, deps.config);
      const knownAccount = known.get(cookie ?? "");
      const state = anonymous.state(networkOf(request.ip));
      if (state.remaining === 0 && knownAccount === undefined) throw rateLimited(state);
      if (knownAccount !== undefined) await admitAccount(knownAccount);
      try {
        const session = await readSession(deps, request);
        if (known.size >= maxKnown) known.clear();
        known.set(cookie!, session.accountId);
        if (knownAccount === undefined) await admitAccount(session.accountId);
        return session;
      } catch (error) {
        if (error instanceof ApiError && error.code === "SESSION_REQUIRED") {
          known.delete(cookie ?? "");
          admitAnonymous(request);
        }
        throw error;
      }
    },
  };
}
