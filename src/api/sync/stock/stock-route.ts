import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from "fastify";
import type { Static } from "typebox";
import type { ServedDeps } from "../../../deps.ts";
import { Type } from "../../../lib/schema.ts";
import type { AccountMemory } from "../../http/account-memory.ts";
import type { TypedApp } from "../../public/public-app.ts";
import { readStock } from "./read-stock.ts";

const StockQuery = Type.Object({
  cursor: Type.Optional(Type.String({ maxLength: 60 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 1000 })),
});

/** What registers show of the stock. It is theirs to look at: no edit of the API or of another register goes through it. */
export function stockRoute(
  api: TypedApp,
  deps: ServedDeps,
  authenticate: onRequestAsyncHookHandler,
  pulls: AccountMemory,
): void {
  const hooks = {
    onRequest: authenticate,
    preHandler: (request: FastifyRequest, reply: FastifyReply, next: (error?: Error) => void) =>
      pulls.reserve(request.device.accountId, reply, next),
  };
  api.get("/stock", { ...hooks, schema: { querystring: StockQuery } }, (request) => {
    const { cursor = "", limit = 1000 } = request.query as Static<typeof StockQuery>;
    return readStock(deps.pool, request.device, cursor, limit);
  });
}
