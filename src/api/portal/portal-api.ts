import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { FastifyInstance, RouteOptions } from "fastify";
import type { RequestLog } from "../../access/api-keys/request-log.ts";
import type { NeededRight } from "../../access/people/needed-right.ts";
import { requireRight } from "../../access/people/require-right.ts";
import type { Session } from "../../access/people/session.ts";
import type { ServedDeps } from "../../deps.ts";
import { ApiError } from "../../lib/errors.ts";
import { accountMemory, limitAccountMemory } from "../http/account-memory.ts";
import { readJsonBodies, requireBody } from "../http/body-parser.ts";
import { handleErrors } from "../http/error-handler.ts";
import { requireOwnOrigin } from "../http/own-origin.ts";
import { isUnknownRoute, type RouteTable, routeTable } from "../http/route-table.ts";
import { limitsOf } from "../http/traffic-limits.ts";
import { checkQueryText, validatorCompiler } from "../http/validation.ts";
import { invoiceRoutes } from "./buying/invoice-routes.ts";
import { payableRoutes } from "./buying/payable-routes.ts";
import { purchaseRoutes } from "./buying/purchase-routes.ts";
import { supplierRoutes } from "./buying/supplier-routes.ts";
import { productImportRoutes } from "./catalog/product-import/routes.ts";
import { eventRoutes } from "./developers/event-routes.ts";
import { keyRoutes } from "./developers/key-routes.ts";
import { overviewRoutes } from "./developers/overview-routes.ts";
import { recordRoutes } from "./developers/record-routes.ts";
import { requestRoutes } from "./developers/request-routes.ts";
import { webhookRoutes } from "./developers/webhook-routes.ts";
import { documentRoutes } from "./documents/document-routes.ts";
import { findingRoutes } from "./documents/finding-routes.ts";
import { guardRoute } from "./guarded-routes.ts";
import { searchRoutes } from "./home/search-routes.ts";
import { startRoutes } from "./home/start-routes.ts";
import { type PlacedBy, requireOwnSede } from "./own-sedes.ts";
import { actRoutes, counterRoutes } from "./people/counter-routes.ts";
import { customerRoutes } from "./people/customer-routes.ts";
import { personalDataRoutes } from "./people/personal-data-routes.ts";
import { portalLimits } from "./portal-limits.ts";
import { marginRoutes } from "./reports/margin-routes.ts";
import { reportRoutes } from "./reports/report-routes.ts";
import { reportTables } from "./reports/report-tables.ts";
import { stockValueRoutes } from "./reports/stock-value-routes.ts";
import { correctionRoutes } from "./sales/correction-routes.ts";
import { orderRoutes } from "./sales/orders/order-routes.ts";
import { quoteRoutes } from "./sales/quotes/quote-routes.ts";
import { saleRoutes } from "./sales/sale-routes.ts";
import { accountRoutes } from "./settings/account-routes.ts";
import { alertRoutes } from "./settings/alert-routes.ts";
import { auditRoutes } from "./settings/audit-routes.ts";
import { accountEndRoutes } from "./settings/closing-routes.ts";
import { factorRoutes } from "./settings/factor-routes.ts";
import { fiscalRoutes } from "./settings/fiscal-routes.ts";
import { locationRoutes } from "./settings/location-routes.ts";
import { paperRoutes } from "./settings/paper-routes.ts";
import { peopleRoutes } from "./settings/people-routes.ts";
import { sessionRoutes } from "./settings/session-routes.ts";
import { toldRoutes } from "./settings/told-routes.ts";
import { deviceRoutes } from "./shifts/device-routes.ts";
import { requireShownBusiness } from "./shown-business.ts";
import { stockRoutes } from "./stock/routes.ts";
import { transferRoutes } from "./stock/transfer-routes.ts";

export const portalPrefix = "/portal/api";
const bodyLimitBytes = 64 * 1024;
/** Some requests use half a dozen of the 16 connections at once: two of those per account are enough. */
const minShare = 1 / 2;

declare module "fastify" {
  interface FastifyInstance {
    /** Every route of the portal's API, once the app is ready. */
    portalRoutes: RouteTable;
  }
  interface FastifyRequest {
    session: Session;
  }
  interface FastifyContextConfig {
    /** Needs no session. */
    isOpen?: boolean;
    /** What a person must be allowed to do; every route of the portal that needs a session says it. */
    right?: NeededRight;
    /** Whoever has only some sedes is refused: what it answers or changes is of all of them. */
    ofWhole?: boolean;
    /**
     * The fields that say of which sede is what it makes. Where none is sent, that is the business's first sede or all of them:
     * whoever has only some means her one, or says which.
     */
    placedBy?: PlacedBy;
  }
}

/** What an owner does, room by room. */
const rooms = [
  sessionRoutes,
  overviewRoutes,
  webhookRoutes,
  eventRoutes,
  deviceRoutes,
  counterRoutes,
  actRoutes,
  fiscalRoutes,
  findingRoutes,
  correctionRoutes,
  accountRoutes,
  factorRoutes,
  toldRoutes,
  auditRoutes,
  alertRoutes,
  accountEndRoutes,
  recordRoutes,
  keyRoutes,
  saleRoutes,
  documentRoutes,
  customerRoutes,
  personalDataRoutes,
  quoteRoutes,
  orderRoutes,
  locationRoutes,
  paperRoutes,
  peopleRoutes,
  reportRoutes,
  reportTables,
  marginRoutes,
  stockValueRoutes,
  stockRoutes,
  transferRoutes,
  supplierRoutes,
  purchaseRoutes,
  payableRoutes,
  invoiceRoutes,
  productImportRoutes,
  startRoutes,
  searchRoutes,
];

/** The portal's own API: cookie sessions, one origin, and the public API's error envelope. */
export function portalApi(app: FastifyInstance, deps: ServedDeps, requestLog: RequestLog): void {
  const { publicUrl } = deps.config;
  const traffic = limitsOf(deps);
  const memory = accountMemory(traffic, traffic.makingBytes, minShare * traffic.makingBytes);
  const table = routeTable();
  app.decorate("portalRoutes", table);
  void app.register(
    (api: FastifyInstance, _options, done) => {
      api.addHook("onRoute", (route) => {
        requireDeclaredRight(route);
        table.collect(route);
      });
      api.setValidatorCompiler(validatorCompiler as never);
      readJsonBodies(api, bodyLimitBytes);
      handleErrors(api, publicUrl);
      limitAccountMemory(api, memory, ({ session }) => session?.accountId);
      admitOnRequest(api, deps);
      api.addHook("preValidation", (request, _reply, next) => {
        checkQueryText(request);
        requireBody(request);
        next();
      });
      api.setNotFoundHandler((request) => {
        const allowed = table.methodsOf(request.url.split("?")[0]!);
        throw new ApiError("ROUTE_NOT_FOUND", allowed.length > 0 ? { headers: { allow: allowed.join(", ") } } : {});
      });
      keepToOwnSedes(api, deps);
      const typed = api.withTypeProvider<TypeBoxTypeProvider>();
      for (const routes of rooms) routes(typed, deps);
      requestRoutes(typed, deps, requestLog);
      done();
    },
    { prefix: portalPrefix, bodyLimit: bodyLimitBytes },
  );
}

/** Behind the schemas: an id that is none is refused as such. */
function keepToOwnSedes(api: FastifyInstance, { pool }: ServedDeps): void {
  api.addHook("preHandler", async (request) => {
    const { config, url = "" } = request.routeOptions;
    if (!request.is404 && !config.isOpen) await requireOwnSede(pool, request, url.slice(portalPrefix.length));
  });
}

/** A route that nobody gave a right would be open to every role: the service does not start with one. */
function requireDeclaredRight({ method, url, config }: RouteOptions): void {
  if (config?.isOpen || config?.right !== undefined) return;
  throw new Error(`${method} ${url} of the portal does not say which right it needs (config.right)`);
}

/** Who may ask at all: from our own pages, not too often, with a session where one is needed, and with the right for the route. */
function admitOnRequest(api: FastifyInstance, deps: ServedDeps): void {
  const limits = portalLimits(deps);
  api.addHook("onRequest", async (request, reply) => {
    void reply.headers({ "request-id": request.id, "cache-control": "no-store" });
    if (request.is404) return;
    if (isUnknownRoute(request)) throw new ApiError("ROUTE_NOT_FOUND");
    requireOwnOrigin(request, deps.config.publicUrl);
    const { isOpen, right } = request.routeOptions.config;
    if (isOpen) return limits.admitAnonymous(request);
    request.session = await limits.admitSession(request);
    requireShownBusiness(request, portalPrefix);
    if (right === undefined) throw new Error(`${request.routeOptions.url} was registered without a right`);
    await requireRight(deps.pool, request.session, right);
    await guardRoute(deps, request, portalPrefix);
  });
}
