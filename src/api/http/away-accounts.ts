import type { FastifyInstance, FastifyRequest } from "fastify";
import { isAccountAway } from "../../db/nodes.ts";
import type { Pool } from "../../db/pool.ts";
import { unavailable } from "./error-handler.ts";

/** Whoever starts a node again, or gives its place to its standby, needs some seconds. */
const retryAfterSeconds = 5;

/** Refuses requests of businesses whose node is away, once it is known whose they are: others would wait behind them. */
export function refuseAwayAccounts(app: FastifyInstance, pool: Pool): void {
  app.addHook("preParsing", (request, _reply, _payload, next) => {
    const accountId = accountOf(request);
    next(accountId !== undefined && isAccountAway(pool, accountId) ? unavailable(retryAfterSeconds) : null);
  });
}

/** Undefined before a sign-in, and where no account is concerned. */
export function accountOf({ access, device, session }: Partial<FastifyRequest>): string | undefined {
  return access?.accountId ?? device?.accountId ?? session?.accountId;
}
