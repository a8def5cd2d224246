import fastify, { type FastifyInstance } from "fastify";
import { categoryRoutes } from "./categories/routes.ts";
import { customerRoutes } from "./customers/routes.ts";
import type { Deps } from "./deps.ts";
import { sendError } from "./http/error-handler.ts";
import { publicApi } from "./http/public-api.ts";
import { logRequests } from "./http/request-log.ts";
import { uuidv7 } from "./lib/ids.ts";

/** The whole service: every plugin and every route, in the order they are listed here. */
export function buildApp(deps: Deps): FastifyInstance {
  const app = fastify({
    loggerInstance: deps.log,
    disableRequestLogging: true,
    requestIdHeader: false,
    genReqId: () => `req_${uuidv7(new Date()).replaceAll("-", "")}`,
    // A keep-alive connection outlives the idle time of common proxies, so that they do not reuse one we just closed.
    keepAliveTimeout: 75_000,
    requestTimeout: 60_000,
    frameworkErrors: (error, request, reply) => void sendError(request, reply, error, deps.config.publicUrl),
  }) as unknown as FastifyInstance;
  logRequests(app);
  publicApi(app, deps, [customerRoutes, categoryRoutes]);
  return app;
}
