import { maxHeaderSize } from "node:http";
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from "fastify";
import { requestLog } from "./access/api-keys/request-log.ts";
import { exportRoutes } from "./api/exports/routes.ts";
import { refuseAwayAccounts } from "./api/http/away-accounts.ts";
import { checkHost } from "./api/http/check-host.ts";
import { closeStalledConnections } from "./api/http/close-stalled.ts";
import { closeConnectionsOnceIdle } from "./api/http/closing.ts";
import { handleErrors, rejectBrokenRequest, sendError } from "./api/http/error-handler.ts";
import { replaceNodeResponses } from "./api/http/node-responses.ts";
import { observeRequests } from "./api/http/observe-requests.ts";
import { logRequests } from "./api/http/request-log.ts";
import { shedLoad, watchLoad } from "./api/http/shedding.ts";
import { limitsOf } from "./api/http/traffic-limits.ts";
import { refuseWritesByWrongClock } from "./api/http/wrong-clock.ts";
import { portalApi } from "./api/portal/portal-api.ts";
import { auditLogRoutes } from "./api/public/audit-log.ts";
import { eventRoutes } from "./api/public/events.ts";
import { keyReportRoutes } from "./api/public/key-reports.ts";
import { meRoutes } from "./api/public/me.ts";
import { orderRoutes } from "./api/public/orders.ts";
import { publicApi, publicLimits } from "./api/public/public-api.ts";
import { purchaseRoutes } from "./api/public/purchases.ts";
import { resourceRoutes } from "./api/public/resource-routes.ts";
import { stockLevelRoutes } from "./api/public/stock-levels.ts";
import { testClockRoutes } from "./api/public/test-clock.ts";
import { variantRoutes } from "./api/public/variants.ts";
import { syncApi } from "./api/sync/sync-api.ts";
import { sharedReads } from "./db/shared-reads.ts";
import type { Deps } from "./deps.ts";
import { ApiError } from "./lib/errors.ts";
import { newMetrics } from "./lib/metrics.ts";
import { newRequestId } from "./lib/request-id.ts";
import { mcpRoutes } from "./mcp/routes.ts";
import { buyerRoutes } from "./sites/buyer/routes.ts";
import { cajaSite } from "./sites/caja/routes.ts";
import { docsRoutes } from "./sites/docs/routes.ts";
import { mailboxRoutes } from "./sites/mailbox/routes.ts";
import { portalNotFound, portalSite } from "./sites/portal/routes.ts";
import { securityContact } from "./sites/security/routes.ts";
import { statusRoutes } from "./sites/status/routes.ts";
import { unsubscribeRoutes } from "./sites/unsubscribe/routes.ts";

/** The parts of the service that a process can serve. The developer site belongs to the API it describes. */
export const servedParts = ["api", "portal", "sync", "caja"] as const;
export type ServedPart = (typeof servedParts)[number];

const publicParts = [
  resourceRoutes,
  variantRoutes,
  orderRoutes,
  purchaseRoutes,
  stockLevelRoutes,
  meRoutes,
  eventRoutes,
  auditLogRoutes,
  exportRoutes,
];

/** The whole service: every plugin and every route, in the order they are listed here. */
export function buildApp(deps: Deps, serves: readonly ServedPart[] = servedParts): FastifyInstance {
  const app = fastify({
    loggerInstance: deps.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // Log lines already carry the request id: a child logger per request would cost more than the line.
    childLoggerFactory: (logger) => logger,
    requestIdHeader: false,
    trustProxy: trustedProxies(deps.config.trustProxy),
    genReqId: newRequestId,
    // Longer than the idle timeout of common proxies, so that they never reuse a connection that was just closed.
    keepAliveTimeout: 75_000,
    requestTimeout: 60_000,
    // checkHost does this, with the service's own error response.
    http: { requireHostHeader: false },
    // A path parameter of any length gets the error for a malformed id; Node limits the whole URL to 16 KiB.
    routerOptions: { maxParamLength: maxHeaderSize },
    // Requests that arrive on open connections during shutdown still get a normal response.
    return503OnClosing: false,
    clientErrorHandler: (error, socket) => rejectBrokenRequest(error, socket, deps.config.publicUrl),
    frameworkErrors: (error, request, reply) => void sendError(request, reply, error, deps.config.publicUrl),
  });
  handleErrors(app, deps.config.publicUrl);
  const { metrics = newMetrics() } = deps;
  const load = watchLoad(deps);
  app.addHook("onClose", (_app, done) => {
    load.stop();
    done();
  });
  const reads = sharedReads(deps.pool);
  app.addHook("onClose", () => reads.stop());
  observeRequests(app, metrics);
  shedLoad(app, load, metrics);
  refuseWritesByWrongClock(app, deps.clock);
  refuseAwayAccounts(app, deps.pool);
  // Creates a missing partition, so that the client's retry succeeds where the write was not retried here.
  app.addHook("onError", async (_request, _reply, error) => {
    await deps.partitions.createMissing(error).catch(() => {});
  });
  const calls = requestLog(deps, (error) => deps.log.warn({ err: error }, "request log not written; trying again"));
  app.addHook("onClose", () => calls.stop());
  logRequests(app, calls);
  closeConnectionsOnceIdle(app);
  closeStalledConnections(app, limitsOf(deps).stallMs);
  replaceNodeResponses(app);
  checkHost(app, deps.config);
  if (serves.includes("api")) {
    const limits = publicLimits(deps);
    const publicRoutes = publicApi(app, { ...deps, reads }, limits, publicParts);
    docsRoutes(app, deps, publicRoutes, serves.includes("portal") ? portalNotFound : undefined);
    mcpRoutes(app, { ...deps, reads }, publicRoutes, limits);
    testClockRoutes(app, deps);
    keyReportRoutes(app, deps);
  } else {
    app.setNotFoundHandler((request, reply) =>
      sendError(request, reply, new ApiError("ROUTE_NOT_FOUND"), deps.config.publicUrl),
    );
  }
  if (serves.includes("sync")) syncApi(app, { ...deps, reads });
  if (serves.includes("portal")) {
    portalApi(app, { ...deps, reads }, calls);
    portalSite(app);
    mailboxRoutes(app, deps);
    unsubscribeRoutes(app, deps);
    buyerRoutes(app, deps);
  }
  if (serves.includes("caja")) cajaSite(app);
  securityContact(app, deps);
  statusRoutes(app, deps);
  return app;
}

/** Fastify needs a function to trust a number of proxies; the operator vouches that only they can reach the port. */
function trustedProxies(
  trustProxy: Deps["config"]["trustProxy"],
): string[] | false | ((address: string, hop: number) => boolean) {
  if (typeof trustProxy === "number") return (_address, hop) => hop < trustProxy;
  return trustProxy ?? false;
}
