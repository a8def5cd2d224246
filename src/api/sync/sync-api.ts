import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { deviceCache } from "../../access/devices/device-access.ts";
import { enrolDevice } from "../../access/devices/enrol-device.ts";
import { lastSeenRecorder } from "../../access/devices/last-seen.ts";
import { reportDevice } from "../../access/devices/report-device.ts";
import { adoptToken, rotateToken } from "../../access/devices/rotate-token.ts";
import { refreshBusiness } from "../../business/counter/business-info.ts";
import type { ServedDeps } from "../../deps.ts";
import { documentLinks } from "../../fiscal/documents/buyer-link.ts";
import { readContingency } from "../../fiscal/documents/contingency.ts";
import { second } from "../../lib/clock.ts";
import { ApiError } from "../../lib/errors.ts";
import { newMetrics } from "../../lib/metrics.ts";
import { networkOf } from "../../lib/network-of.ts";
import { accountMemory, measureResponses } from "../http/account-memory.ts";
import { compress } from "../http/compression.ts";
import { handleErrors } from "../http/error-handler.ts";
import { refuseForeignPages } from "../http/own-origin.ts";
import { rateLimited, rateLimiter } from "../http/rate-limit.ts";
import { type RouteTable, routeTable } from "../http/route-table.ts";
import { limitsOf } from "../http/traffic-limits.ts";
import { checkQueryText, validatorCompiler } from "../http/validation.ts";
import type { TypedApp } from "../public/public-app.ts";
import { authenticateDevice, type DeviceAuth } from "./authenticate-device.ts";
import { readUploads } from "./body-parser.ts";
import { accepted, ChangesQuery, EnrolBody, oldestCaja, PushBody, syncBodyLimitBytes, syncPrefix } from "./protocol.ts";
import { emptyResponses } from "./pull/empty-responses.ts";
import { type ClientConnection, longPolls } from "./pull/long-polls.ts";
import { pull } from "./pull/pull.ts";
import { businessDown } from "./pull/read-feed.ts";
import { push } from "./push/push.ts";
import { salesRoutes } from "./sales/sales-routes.ts";
import { stockRoute } from "./stock/stock-route.ts";
import { syncMeter } from "./sync-meter.ts";

const failedAttemptsPerMinute = 30;

declare module "fastify" {
  interface FastifyInstance {
    /** Every route of register synchronization, once the app is ready. */
    syncRoutes: RouteTable;
  }
  interface FastifyRequest {
    /** The access version at which the register was authenticated. */
    accessVersion: number;
  }
}

/**
 * Uploads are limited by size per account: one token per 16 KiB, which is 0.8 MiB a second with the default limits. While
 * the process reads and stores a large push, other requests wait. After a week offline a shop has some megabytes to upload,
 * which takes seconds.
 */
const bytesPerToken = 16 * 1024;
const uploadBurst = (2 * 1024 * 1024) / bytesPerToken;
/** An upload over the limit waits this long, unread, before it is rejected. */
const uploadHoldMs = second;

/** Register synchronization: authentication, limits and its routes. */
export function syncApi(app: FastifyInstance, deps: ServedDeps): void {
  const shared = makeShared(deps);
  const { polls, meter, seen, pulls, pushes } = shared;
  const table = routeTable();
  app.decorate("syncRoutes", table);
  void app.register(
    (api: FastifyInstance, _options, done) => {
      api.addHook("onRoute", (route) => table.collect(route));
      api.setValidatorCompiler(validatorCompiler as never);
      readUploads(api);
      handleErrors(api, deps.config.publicUrl);
      api.addHook("onSend", compress);
      // Registers compare their clocks with it. `date` is the machine's, which the test environment does not move.
      api.addHook("onSend", (_request, reply, payload, next) => {
        void reply.header("service-time", deps.clock.now().toISOString());
        next(null, payload);
      });
      measureResponses(api, pulls);
      measureResponses(api, pushes);
      api.addHook("onRequest", (request, reply, next) => {
        void reply.header("request-id", request.id);
        void reply.headers({ "register-accepts": accepted.join(","), "caja-oldest": oldestCaja });
        refuseForeignPages(request, deps.config.publicUrl);
        next();
      });
      api.addHook("preValidation", (request, _reply, next) => {
        checkQueryText(request);
        next();
      });
      // Long polls end first, so that closing does not wait for them.
      api.addHook("preClose", (next) => {
        polls.close();
        next();
      });
      api.addHook("onClose", () => {
        meter.stop();
        return seen.stop();
      });
      api.setNotFoundHandler((request) => {
        const allowed = table.methodsOf(request.url.split("?")[0]!);
        throw new ApiError("ROUTE_NOT_FOUND", allowed.length > 0 ? { headers: { allow: allowed.join(", ") } } : {});
      });
      const typed = api.withTypeProvider<TypeBoxTypeProvider>();
      enrolmentRoutes(typed, shared);
      pushRoute(typed, shared);
      changesRoute(typed, shared);
      stockRoute(typed, deps, shared.authenticate, pulls);
      salesRoutes(typed, deps, shared.authenticate, pulls);
      done();
    },
    { prefix: syncPrefix, bodyLimit: syncBodyLimitBytes },
  );
}

type Shared = ReturnType<typeof makeShared>;

/** Everything that the routes share. */
function makeShared(deps: ServedDeps) {
  const devices = deviceCache(deps.pool);
  const accessDeps = { ...deps, forget: () => deps.access.clear() };
  const { rateLimitPerSecond, rateLimitBurst } = deps.config;
  const auth: DeviceAuth = {
    devices,
    ...(rateLimitPerSecond > 0 &&
      rateLimitBurst > 0 && {
        registers: rateLimiter(rateLimitPerSecond, rateLimitBurst),
        uploads: rateLimiter(rateLimitPerSecond, uploadBurst),
      }),
    failedAttempts: rateLimiter(failedAttemptsPerMinute / 60, failedAttemptsPerMinute),
    adopt: (hash) => adoptToken(accessDeps, hash),
  };
  deps.sharedLimits?.join("sync stranger", auth.failedAttempts);
  if (auth.registers) deps.sharedLimits?.join("register", auth.registers);
  if (auth.uploads) deps.sharedLimits?.join("upload", auth.uploads);
  const seen = lastSeenRecorder(deps.pool, (error) => deps.log.warn({ err: error }, "last sightings not stored"));
  const polls = longPolls(deps.pool, deps.feed);
  const access = { version: 0 };
  deps.access.onClear(() => {
    access.version += 1;
    devices.clear();
    void polls.endRejected();
  });
  const traffic = limitsOf(deps);

  async function authenticate(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    request.accessVersion = access.version;
    request.device = await authenticateDevice(auth, request);
    // The owner may have given it another name. Headers hold no accents.
    void reply.header("register-name", encodeURIComponent(request.device.name));
    if (auth.registers?.take(request.device.deviceId) === false)
      throw rateLimited(auth.registers.state(request.device.deviceId));
    if (deps.clock.isTrusted()) seen.note(request.device.deviceId, deps.clock.now());
  }

  return {
    deps,
    accessDeps,
    auth,
    seen,
    polls,
    /** Incremented whenever a key, a register or an account changes. */
    access,
    authenticate,
    emptyResponses: emptyResponses(deps.feed),
    meter: syncMeter(deps.metrics ?? newMetrics(), polls),
    pulls: accountMemory(traffic, traffic.makingBytes),
    pushes: accountMemory(traffic, traffic.pushingBytes, 1024),
  };
}

const tooManyGuesses =
  "Hubo demasiadas autenticaciones fallidas desde su dirección. Espere los segundos de `Retry-After` y escriba el código otra vez.";

function enrolmentRoutes(api: TypedApp, { deps, auth, authenticate }: Shared): void {
  api.post("/enrol", { schema: { body: EnrolBody } }, async (request, reply) => {
    // Guessing codes has the same limit as guessing tokens, and it is checked first: past the limit, even the right code
    // is rejected.
    const network = networkOf(request.ip);
    if (!auth.failedAttempts.take(network)) throw rateLimited(auth.failedAttempts.state(network), tooManyGuesses);
    let isGuess = false;
    try {
      const enrolled = await enrolDevice(deps, request.body, request.ip);
      return await reply.code(201).send(enrolled);
    } catch (error) {
      isGuess = error instanceof ApiError && error.code === "ENROLMENT_CODE_INVALID";
      throw error;
    } finally {
      if (!isGuess) auth.failedAttempts.giveBack(network);
    }
  });
  api.post("/token", { onRequest: authenticate }, async (request, reply) => {
    const rotated = await rotateToken(deps, request.device, request.ip);
    return reply.code(201).send(rotated);
  });
}

function pushRoute(
  api: TypedApp,
  { deps, accessDeps, auth, authenticate, emptyResponses, meter, pushes }: Shared,
): void {
  /** Runs before the body is read, so that many large uploads cannot block other requests. */
  function limitUpload(
    request: FastifyRequest,
    reply: FastifyReply,
    _payload: unknown,
    next: (error?: Error) => void,
  ): void {
    const { accountId } = request.device;
    const bytes = Math.min(Number(request.headers["content-length"] ?? syncBodyLimitBytes), syncBodyLimitBytes);
    const weight = Math.ceil(bytes / bytesPerToken);
    const isAllowed = () => auth.uploads?.take(accountId, weight) !== false;
    const admit = () => pushes.reserve(accountId, reply, next, bytes);
    if (isAllowed()) {
      admit();
      return;
    }
    setTimeout(() => {
      if (isAllowed()) admit();
      else next(rateLimited(auth.uploads!.state(accountId, weight)));
    }, uploadHoldMs);
  }

  const hooks = { onRequest: authenticate, preParsing: limitUpload };
  api.post("/push", { ...hooks, schema: { body: PushBody } }, async (request, reply) => {
    const { app_version, capabilities } = request.body;
    await reportDevice(accessDeps, request.device, { appVersion: app_version, capabilities });
    emptyResponses.discard(request.device.deviceId);
    meter.pushed(request.body);
    const { body, mayHoldUnstorable, id: requestId } = request;
    const announced = request.device.capabilities;
    const device = { ...request.device, capabilities: capabilities ?? announced, announced, remoteAddress: request.ip };
    const response = await push(deps, device, { body, mayHoldUnstorable, requestId });
    return sendJson(reply, JSON.stringify(response));
  });
}

function changesRoute(
  api: TypedApp,
  { deps, accessDeps, auth, access, authenticate, polls, emptyResponses, pulls }: Shared,
): void {
  api.get("/changes", { onRequest: authenticate, schema: { querystring: ChangesQuery } }, async (request, reply) => {
    const reported = reportedIn(request);
    if (deps.clock.isTrusted()) await reportDevice(accessDeps, request.device, reported);
    const device = { ...request.device, capabilities: reported.capabilities ?? request.device.capabilities };
    if (device.capabilities?.includes(businessDown)) {
      const contingency = await readContingency(deps.pool, device.accountId, deps.clock.now());
      await refreshBusiness(deps, device.accountId, {
        contingency: contingency?.ticket_text ?? null,
        ticketMail: deps.config.ticketMail,
        bagTaxByYear: deps.config.bagTaxByYear,
        documentLinks: documentLinks(deps.config, device.accountId),
      });
    }
    const { cursor = "", limit = 500, wait = 0 } = request.query;
    const text = await pull({ ...deps, polls, emptyResponses }, device, {
      cursor,
      limit,
      waitSeconds: wait,
      connection: connectionOf(reply),
      admit: () =>
        new Promise((resolve, reject) => {
          pulls.reserve(request.device.accountId, reply, (error) => (error ? reject(error) : resolve()));
        }),
      // A register revoked between its authentication and its wait was not among the waits that revoking ends.
      confirm: async () => {
        while (request.accessVersion !== access.version) {
          request.accessVersion = access.version;
          await authenticateDevice(auth, request);
        }
      },
    });
    // An idle keep-alive connection would delay the shutdown.
    if (polls.isClosed()) void reply.header("connection", "close");
    return sendJson(reply, text);
  });
}

function sendJson(reply: FastifyReply, text: string): FastifyReply {
  return reply.type("application/json; charset=utf-8").send(text);
}

function connectionOf({ raw }: FastifyReply): ClientConnection {
  return {
    isClosed: () => raw.destroyed,
    listen(listener) {
      raw.once("close", listener);
      return () => raw.off("close", listener);
    },
  };
}

function reportedIn({ headers }: FastifyRequest): { appVersion?: string; capabilities?: string[] } {
  const version = headers["register-version"];
  const capabilities = headers["register-capabilities"];
  return {
    ...(typeof version === "string" && { appVersion: version.slice(0, 200) }),
    ...(typeof capabilities === "string" && { capabilities: capabilities.split(/[\s,]+/).filter(Boolean) }),
  };
}
