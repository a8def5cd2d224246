import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Deps, ServedDeps } from "../../deps.ts";
import { ApiError } from "../../lib/errors.ts";
import { networkOf } from "../../lib/network-of.ts";
import { accountMemory, limitAccountMemory } from "../http/account-memory.ts";
import { readJsonBodies, requireBody } from "../http/body-parser.ts";
import { isBrowser } from "../http/browser-guard.ts";
import { compress } from "../http/compression.ts";
import { handleErrors } from "../http/error-handler.ts";
import { rateLimiter } from "../http/rate-limit.ts";
import { isUnknownRoute, type RouteTable, routeTable } from "../http/route-table.ts";
import { limitsOf } from "../http/traffic-limits.ts";
import { checkQueryText, validatorCompiler } from "../http/validation.ts";
import { authenticate, type Limits, setRateHeaders } from "./authenticate.ts";
import { publicBodyLimitBytes } from "./body-limit.ts";
import { keyLimits } from "./key-limits.ts";
import type { TypedApp } from "./public-app.ts";
import type { ReadingDeps } from "./reading.ts";

export const publicPrefix = "/public/v1";
const failedAuthenticationsPerMinute = 30;

declare module "fastify" {
  interface FastifyInstance {
    /** Every route of the public API, once the app is ready. */
    publicRoutes: RouteTable;
  }
}

/** What a key may ask for: of the API, and of whatever else takes its keys. */
export function publicLimits({ config, sharedLimits }: Deps): Limits {
  const { rateLimitPerSecond: perSecond, rateLimitBurst: burst } = config;
  const limits = {
    keys: perSecond > 0 && burst > 0 ? keyLimits(perSecond, burst, sharedLimits) : undefined,
    failedAttempts: rateLimiter(failedAuthenticationsPerMinute / 60, failedAuthenticationsPerMinute),
  };
  sharedLimits?.join("stranger", limits.failedAttempts);
  return limits;
}

export type Routes = (app: TypedApp, deps: ReadingDeps) => void;

/** Registers the public routes with authentication, body parser, limits and error handling. Returns the route table. */
export function publicApi(
  app: FastifyInstance,
  deps: ServedDeps,
  limits: Limits,
  features: readonly Routes[],
): RouteTable {
  const { publicUrl } = deps.config;
  const traffic = limitsOf(deps);
  const room = accountMemory(traffic, traffic.makingBytes);
  const table = routeTable();
  app.decorate("publicRoutes", table);
  void app.register(
    (api: FastifyInstance, _options, done) => {
      api.addHook("onRoute", (route) => table.collect(route));
      api.setValidatorCompiler(validatorCompiler as never);
      readJsonBodies(api, publicBodyLimitBytes);
      handleErrors(api, publicUrl);
      api.addHook("onSend", compress);
      // Responses to writes are small, and exports have their own limits.
      limitAccountMemory(api, room, ({ access, routeOptions: { config } }) =>
        config.kind === "list" || config.kind === "read" ? access.accountId : undefined,
      );

      const authenticateRequest = authenticate(deps, limits);
      api.addHook("onRequest", (request, reply, next) => {
        void reply.header("request-id", request.id);
        if (isUnknownRoute(request)) {
          setRateHeaders(reply, limits.failedAttempts.state(networkOf(request.ip)));
          next(unknownRoute(request, table));
        } else authenticateRequest(request, reply, next);
      });
      api.addHook("preValidation", (request, _reply, next) => {
        requireBody(request);
        checkQueryText(request);
        next();
      });
      // Never reached: the hook above responds first. It is needed for this prefix's 404s to pass through that hook.
      api.setNotFoundHandler(() => {});
      for (const routes of features)
        routes(api.withTypeProvider<TypeBoxTypeProvider>(), { ...deps, keyLimiter: limits.keys });
      done();
    },
    { prefix: publicPrefix },
  );
  return table;
}

function unknownRoute(request: FastifyRequest, table: RouteTable): ApiError {
  const allowed = table.methodsOf(request.url.split("?")[0]!);
  if (allowed.length === 0) return new ApiError("ROUTE_NOT_FOUND");
  // A browser's preflight gets the same response as the request itself.
  if (request.method === "OPTIONS" && isBrowser(request)) return new ApiError("BROWSER_REQUESTS_NOT_ALLOWED");
  return new ApiError("ROUTE_NOT_FOUND", { headers: { allow: allowed.join(", ") } });
}
