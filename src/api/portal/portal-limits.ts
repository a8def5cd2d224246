import { setTimeout as delay } from "node:timers/promises";
import type { FastifyRequest } from "fastify";
import { cookieOf, readSession, type Session } from "../../access/people/session.ts";
import type { Deps } from "../../deps.ts";
import { second } from "../../lib/clock.ts";
import { ApiError } from "../../lib/errors.ts";
import { networkOf } from "../../lib/network-of.ts";
import { rateLimited, rateLimiter } from "../http/rate-limit.ts";
import { limitsOf } from "../http/traffic-limits.ts";

/** Sessions seen here lately; they are forgotten all at once. */
const maxKnown = 10_000;
/** How long a refusal takes, so that whoever asks again at once asks no faster than this. */
const heldMs = second;

export interface PortalLimits {
  /** Whoever calls without being signed in. */
  admitStranger(request: FastifyRequest): void;
  /** The session of a request, as long as its account does not ask faster than people do. */
  admitSession(request: FastifyRequest): Promise<Session>;
}

/**
 * The portal's allowances: by account for whoever is signed in, by address for everyone else. A cookie that leads nowhere
 * is a stranger's; past his allowance only cookies that were good a moment ago are still looked up.
 */
export function portalLimits(deps: Deps): PortalLimits {
  const { portalPerSecond, portalBurst } = limitsOf(deps);
  const accounts = rateLimiter(portalPerSecond, portalBurst);
  const strangers = rateLimiter(portalPerSecond, portalBurst);
  deps.sharedLimits?.join("portal", accounts);
  deps.sharedLimits?.join("portal stranger", strangers);
  /** The account of each cookie that was good a moment ago. */
  const known = new Map<string, string>();

  function admitStranger({ ip }: FastifyRequest): void {
    const network = networkOf(ip);
    if (!strangers.take(network)) throw rateLimited(strangers.state(network));
  }

  async function admitAccount(accountId: string): Promise<void> {
    if (accounts.take(accountId)) return;
    await delay(heldMs);
    throw rateLimited(accounts.state(accountId));
  }

  return {
    admitStranger,
    async admitSession(request) {
      const cookie = cookieOf(request, deps.config);
      const knownAccount = known.get(cookie ?? "");
      const state = strangers.state(networkOf(request.ip));
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
          admitStranger(request);
        }
        throw error;
      }
    },
  };
}
