import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { deviceCache } from "../../access/devices/device-access.ts";
import { enrolDevice } from "../../access/devices/enrol-device.ts";
import { lastSeenRecorder } from "../../access/devices/last-seen.ts";
import { reportDevice } from "../../access/devices/report-device.ts";
import { adoptToken, rotateToken } from "../../access/devices/rotate-token.ts";
import type { ServedDeps } from "../../deps.ts";
import { second } from "../../lib/clock.ts";
import { ApiError } from "../../lib/errors.ts";
import { newMetrics } from "../../lib/metrics.ts";
import { networkOf } from "../../lib/network-of.ts";
import { hashToken } from "../../lib/token.ts";
import { accountMemory, measureResponses } from "../http/account-memory.ts";
import { compress } from "../http/compression.ts";
import { handleErrors } from "../http/error-handler.ts";
import { rateLimited, rateLimiter } from "../http/rate-limit.ts";
import { type RouteTable, routeTable } from "../http/route-table.ts";
import { limitsOf } from "../http/traffic-limits.ts";
import { validatorCompiler } from "../http/validation.ts";
import type { TypedApp } from "../public/public-app.ts";
import { readUploads } from "./body-parser.ts";
import { authenticateDevice, type DeviceDoor } from "./door.ts";
import { ChangesQuery, EnrolBody, PushBody, syncBodyLimitBytes, syncPrefix } from "./protocol.ts";
import { idleAnswers } from "./pull/idle-answers.ts";
import { pull } from "./pull/pull.ts";
import { type Leaving, waitingRoom } from "./pull/waiting.ts";
import { push } from "./push/push.ts";
import { syncMeter } from "./sync-meter.ts";

const failedAttemptsPerMinute = 30;

declare module "fastify" {
  interface FastifyInstance {
    /** Every route of register synchronization, once the app is ready. */
    syncRoutes: RouteTable;
  }
  interface FastifyRequest {
    /** How many changes of access had been heard of when the register came in. */
    enteredAt: number;
  }
}

/**
 * What all registers of an account upload is counted by weight: a token for each 16 KiB, which is 0.8 MiB a second with the
 * default limits. While the process reads and stores a large push it answers nobody else. A shop that comes back after a
 * week offline has some megabytes to upload: seconds.
 */
const bytesPerToken = 16 * 1024;
const uploadBurst = (2 * 1024 * 1024) / bytesPerToken;
/** How long an upload beyond that waits, unread, for the allowance to grow before it is refused. */
const heldMs = second;

/** Register synchronization: authentication, limits and its four routes. */
export function syncApi(app: FastifyInstance, deps: ServedDeps): void {
  const parts = makeParts(deps);
  const { room, meter, seen, pulls, pushes } = parts;
  const table = routeTable();
  app.decorate("syncRoutes", table);
  void app.register(
    (api: FastifyInstance, _options, done) => {
      api.addHook("onRoute", (route) => table.collect(route));
      api.setValidatorCompiler(validatorCompiler as never);
      readUploads(api);
      handleErrors(api, deps.config.publicUrl);
      api.addHook("onSend", compress);
      measureResponses(api, pulls);
      measureResponses(api, pushes);
      api.addHook("onRequest", (request, reply, next) => {
        void reply.header("request-id", request.id);
        next();
      });
      // Waiting registers are sent home first, so that closing does not wait for them.
      api.addHook("preClose", (next) => {
        room.close();
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
      enrolmentRoutes(api as unknown as TypedApp, parts);
      pushRoute(api as unknown as TypedApp, parts);
      changesRoute(api as unknown as TypedApp, parts);
      done();
    },
    { prefix: syncPrefix, bodyLimit: syncBodyLimitBytes },
  );
}

type Parts = ReturnType<typeof makeParts>;

/** What the routes share in one process. */
function makeParts(deps: ServedDeps) {
  const devices = deviceCache(deps.pool);
  const own = { pool: deps.pool, forget: () => deps.access.clear() };
  const { rateLimitPerSecond, rateLimitBurst } = deps.config;
  const door: DeviceDoor = {
    devices,
    ...(rateLimitPerSecond > 0 &&
      rateLimitBurst > 0 && {
        registers: rateLimiter(rateLimitPerSecond, rateLimitBurst),
        uploads: rateLimiter(rateLimitPerSecond, uploadBurst),
      }),
    strangers: rateLimiter(failedAttemptsPerMinute / 60, failedAttemptsPerMinute),
    adopt: (hash) => adoptToken(own, hash),
  };
  deps.sharedLimits?.join("sync stranger", door.strangers);
  if (door.registers) deps.sharedLimits?.join("register", door.registers);
  if (door.uploads) deps.sharedLimits?.join("upload", door.uploads);
  const seen = lastSeenRecorder(deps.pool, (error) =>
    deps.log.warn({ err: error }, "last lastSeenRecorder not stored"),
  );
  const room = waitingRoom(deps.pool, deps.feed);
  const access = { changes: 0 };
  deps.access.onClear(() => {
    access.changes += 1;
    devices.clear();
    void room.turnAway();
  });
  const traffic = limitsOf(deps);

  async function enter(request: FastifyRequest): Promise<void> {
    request.enteredAt = access.changes;
    request.device = await authenticateDevice(door, request);
    if (door.registers?.take(request.device.deviceId) === false)
      throw rateLimited(door.registers.state(request.device.deviceId));
    if (deps.clock.isTrusted()) seen.note(request.device.deviceId, deps.clock.now());
  }

  return {
    deps,
    own,
    devices,
    door,
    seen,
    room,
    /** How often keys, registers or accounts changed since the start. */
    access,
    enter,
    idle: idleAnswers(deps.feed),
    meter: syncMeter(deps.metrics ?? newMetrics(), room),
    pulls: accountMemory(traffic, traffic.makingBytes),
    pushes: accountMemory(traffic, traffic.pushingBytes, 1024),
  };
}

function enrolmentRoutes(api: TypedApp, { deps, devices, door, enter }: Parts): void {
  api.post("/enrol", { schema: { body: EnrolBody } }, async (request, reply) => {
    // Guessing codes spends the same allowance as guessing tokens, before the guess is judged: past it, not even the
    // right code tells anything.
    const network = networkOf(request.ip);
    if (!door.strangers.take(network)) throw rateLimited(door.strangers.state(network));
    let isGuess = false;
    try {
      const enrolled = await enrolDevice(deps, request.body, request.ip);
      devices.markKnown(hashToken(enrolled.token));
      return await reply.code(201).send(enrolled);
    } catch (error) {
      isGuess = error instanceof ApiError && error.code === "ENROLMENT_CODE_INVALID";
      throw error;
    } finally {
      if (!isGuess) door.strangers.giveBack(network);
    }
  });
  api.post("/token", { onRequest: enter }, async (request, reply) => {
    const rotated = await rotateToken(deps, request.device, request.ip);
    devices.markKnown(hashToken(rotated.token));
    return reply.code(201).send(rotated);
  });
}

function pushRoute(api: TypedApp, { deps, own, door, enter, idle, meter, pushes }: Parts): void {
  /** Before its body is read: a crowd of large uploads waits outside, and stands in nobody else's way. */
  function enterPush(
    request: FastifyRequest,
    reply: FastifyReply,
    _payload: unknown,
    next: (error?: Error) => void,
  ): void {
    const { accountId } = request.device;
    const bytes = Math.min(Number(request.headers["content-length"] ?? syncBodyLimitBytes), syncBodyLimitBytes);
    const weight = Math.ceil(bytes / bytesPerToken);
    const isAllowed = () => door.uploads?.take(accountId, weight) !== false;
    const admit = () => pushes.reserve(accountId, reply, next, bytes);
    if (isAllowed()) {
      admit();
      return;
    }
    setTimeout(() => {
      if (isAllowed()) admit();
      else next(rateLimited(door.uploads!.state(accountId, weight)));
    }, heldMs);
  }

  api.post("/push", { onRequest: enter, preParsing: enterPush, schema: { body: PushBody } }, async (request, reply) => {
    const { app_version, capabilities } = request.body;
    await reportDevice(own, request.device, { appVersion: app_version, capabilities });
    idle.forget(request.device.deviceId);
    meter.pushed(request.body);
    const { body, mayHoldUnstorable, id: requestId } = request;
    const answer = await push(deps, request.device, { body, mayHoldUnstorable, requestId });
    return sendJson(reply, JSON.stringify(answer));
  });
}

function changesRoute(api: TypedApp, { deps, own, door, access, enter, room, idle, pulls }: Parts): void {
  api.get("/changes", { onRequest: enter, schema: { querystring: ChangesQuery } }, async (request, reply) => {
    if (deps.clock.isTrusted()) await reportDevice(own, request.device, reportedIn(request));
    const { cursor = "", limit = 500, wait = 0 } = request.query;
    const text = await pull({ ...deps, room, idle }, request.device, {
      cursor,
      limit,
      waitSeconds: wait,
      leaving: leavingBy(reply),
      admit: () =>
        new Promise((resolve, reject) => {
          pulls.reserve(request.device.accountId, reply, (error) => (error ? reject(error) : resolve()));
        }),
      // A register that was revoked between its authentication and its wait was not there to be turned away.
      confirm: async () => {
        while (request.enteredAt !== access.changes) {
          request.enteredAt = access.changes;
          await authenticateDevice(door, request);
        }
      },
    });
    // A connection that stays open would hold up the stop for as long as it may idle.
    if (room.isClosed()) void reply.header("connection", "close");
    return sendJson(reply, text);
  });
}

function sendJson(reply: FastifyReply, text: string): FastifyReply {
  return reply.type("application/json; charset=utf-8").send(text);
}

function leavingBy({ raw }: FastifyReply): Leaving {
  return {
    hasLeft: () => raw.destroyed,
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
