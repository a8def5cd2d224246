import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from "fastify";
import type { Static } from "typebox";
import type { ServedDeps } from "../../../deps.ts";
import { ById, text } from "../../../engine/resources/fields.ts";
import { isDay } from "../../../fiscal/closing/day.ts";
import { qrUrl } from "../../../fiscal/content/document-hash.ts";
import { runningTasks, turnsByKey } from "../../../lib/concurrency-limit.ts";
import { ApiError, validationError } from "../../../lib/errors.ts";
import { Type } from "../../../lib/schema.ts";
import type { AccountMemory } from "../../http/account-memory.ts";
import type { TypedApp } from "../../public/public-app.ts";
import { readWholeSale } from "./read-sale.ts";
import { readSales } from "./read-sales.ts";

const SalesQuery = Type.Object({
  day: Type.Optional(Type.String({ maxLength: 10 })),
  q: Type.Optional(text(100)),
  register: Type.Optional(text(120)),
  cursor: Type.Optional(Type.String({ maxLength: 60 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
});

/** A search through thousands of sales holds a connection for half a second: one of a business at a time, and few in all. */
const lookingAtOnce = 3;
/** Waiting or looking. */
const mostOfAccount = 20;

/** The sales of every register of the business, for whoever comes back with a ticket of another counter or of another day. */
export function salesRoutes(
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
  const [inTurns, asked] = [turnsByKey(lookingAtOnce), runningTasks()];
  const authority = deps.config.environment === "live" ? "production" : "test";
  api.get("/sales", { ...hooks, schema: { querystring: SalesQuery } }, (request) => {
    const { cursor = "", limit = 50, day, ...filters } = request.query as Static<typeof SalesQuery>;
    if (day !== undefined && !isDay(day))
      throw validationError([{ param: "day", message: "Escriba el día como 2026-11-18." }]);
    const { accountId } = request.device;
    if (asked.count(accountId) >= mostOfAccount)
      throw new ApiError("RATE_LIMITED", { headers: { "retry-after": "1" } });
    const look = () => readSales(deps.pool, accountId, { ...filters, ...(day && { day }), cursor, limit });
    return asked.run([accountId], () => inTurns(accountId, look));
  });
  api.get("/sales/:id", { ...hooks, schema: { params: ById } }, (request) =>
    readWholeSale(deps.pool, request.device.accountId, request.params.id.toLowerCase(), (cufe) =>
      qrUrl(cufe, authority),
    ),
  );
}
