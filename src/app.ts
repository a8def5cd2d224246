import { maxHeaderSize } from "node:http";
import fastify, { type FastifyInstance, LogController } from "fastify";
import { requestLog } from "./api-keys/request-log.ts";
import { cashSessionRoutes } from "./cash-sessions/routes.ts";
import { categoryRoutes } from "./categories/routes.ts";
import { customerRoutes } from "./customers/routes.ts";
import type { Deps } from "./deps.ts";
import { docsRoutes } from "./docs/routes.ts";
import { eventRoutes } from "./events/routes.ts";
import { exportRoutes } from "./exports/routes.ts";
import { invoiceRoutes } from "./fiscal/routes.ts";
import { closeConnectionsOnceIdle } from "./http/closing.ts";
import { answerBrokenRequest, newRequestId, sendError } from "./http/error-handler.ts";
import { publicApi } from "./http/public-api.ts";
import { logRequests } from "./http/request-log.ts";
import { inventoryRoutes } from "./inventory/routes.ts";
import { mailboxRoutes } from "./mail/mailbox-routes.ts";
import { portalApi } from "./portal-api/portal-api.ts";
import { portalSite } from "./portal-site/routes.ts";
import { productRoutes } from "./products/routes.ts";
import { quoteRoutes } from "./quotes/routes.ts";
import { saleRoutes } from "./sales/routes.ts";
import { syncApi } from "./sync/sync-api.ts";

/** The whole service: every plugin and every route, in the order they are listed here. */
export function buildApp(deps: Deps): FastifyInstance {
  const app = fastify({
    loggerInstance: deps.log,
    logController: new LogController({ disableRequestLogging: true }),
    // Our lines name their request themselves: a child logger for each would cost more than the line.
    childLoggerFactory: (logger) => logger,
    requestIdHeader: false,
    genReqId: newRequestId,
    // A keep-alive connection outlives the idle time of common proxies, so that they do not reuse one we just closed.
    keepAliveTimeout: 75_000,
    requestTimeout: 60_000,
    // However long, what stands in an id's place is an ill-formed id; the URL as a whole has Node's limit of 16 KiB.
    routerOptions: { maxParamLength: maxHeaderSize },
    // While it closes, what still arrives on open connections is answered, in our own words.
    return503OnClosing: false,
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket, deps.config.publicUrl),
    frameworkErrors: (error, request, reply) => void sendError(request, reply, error, deps.config.publicUrl),
  }) as unknown as FastifyInstance;
  const calls = requestLog(deps, (error) => deps.log.warn({ err: error }, "request log not written; trying again"));
  app.addHook("onClose", () => calls.stop());
  logRequests(app, calls);
  closeConnectionsOnceIdle(app);
  const publicRoutes = publicApi(app, deps, [
    customerRoutes,
    categoryRoutes,
    productRoutes,
    saleRoutes,
    invoiceRoutes,
    inventoryRoutes,
    cashSessionRoutes,
    quoteRoutes,
    eventRoutes,
    exportRoutes,
  ]);
  syncApi(app, deps);
  docsRoutes(app, deps, publicRoutes);
  portalApi(app, deps, calls);
  portalSite(app);
  mailboxRoutes(app, deps);
  return app;
}
