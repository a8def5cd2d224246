import type { FastifyInstance } from "fastify";
import type { Pool } from "../../db/pool.ts";
import { isWriteQueueFull } from "../../engine/writing/write-queue.ts";
import { second } from "../../lib/clock.ts";
import type { Metrics } from "../../lib/metrics.ts";
import { unavailable } from "./error-handler.ts";
import { kindOfRoute, type RequestKind, requestKinds } from "./request-kind.ts";

/**
 * How long a request may have to wait before those of its kind are sent away: what can be repeated without harm goes
 * first, a register's sales last, just before the 5 s after which no connection is found anyway.
 */
export const shedFromMs: Readonly<Record<RequestKind, number>> = {
  export: 0.5 * second,
  list: second,
  read: second,
  page: second,
  write: 2 * second,
  pull: 2 * second,
  push: 4 * second,
};

/** The less urgent, the later it should come back. */
const retryAfterSeconds: Readonly<Record<RequestKind, number>> = {
  export: 30,
  list: 5,
  read: 5,
  page: 5,
  write: 2,
  pull: 5,
  push: 2,
};

export function isShed(kind: RequestKind, waitMs: number): boolean {
  return waitMs >= shedFromMs[kind];
}

/** What a request that comes now must expect to wait, beyond its own work. */
export interface Load {
  readonly waitMs: number;
  /** Whether so many writers of this account wait that one more would be answered too late. */
  isWriteQueueFull(accountId: string): boolean;
}

declare module "fastify" {
  interface FastifyContextConfig {
    kind?: RequestKind;
  }
}

/** Refuses at the door, before the key is even looked at, what could not be served in time. */
export function shedLoad(app: FastifyInstance, load: Load, metrics: Metrics): void {
  const shed = Object.fromEntries(
    requestKinds.map((kind) => [
      kind,
      metrics.counter("mostrador_http_shed_total", "Requests sent away with 503 because of load.", { kind }),
    ]),
  );
  app.addHook("onRoute", (route) => {
    route.config = { ...route.config, kind: kindOfRoute(String([route.method].flat()[0]), route.url) };
  });
  app.addHook("onRequest", (request, _reply, next) => {
    if (load.waitMs < shedFromMs.export) return next();
    const kind = request.routeOptions.config.kind ?? "page";
    if (!isShed(kind, load.waitMs)) return next();
    shed[kind]!.value += 1;
    next(unavailable(retryAfterSeconds[kind]));
  });
  // Known by now, and before its body is read, is whose write it is: a full queue is its account's alone.
  app.addHook("preParsing", (request, _reply, payload, next) => {
    const kind = request.routeOptions.config.kind ?? "page";
    const accountId = request.access?.accountId ?? request.device?.accountId ?? request.session?.accountId;
    if ((kind !== "write" && kind !== "push") || accountId === undefined || !load.isWriteQueueFull(accountId))
      return next(null, payload);
    shed[kind]!.value += 1;
    next(unavailable(retryAfterSeconds[kind]));
  });
}

const sampleEveryMs = 100;
/** One long pause is no overload: the least of these last samples counts. */
const samplesKept = 3;

export interface LoadWatch extends Load {
  stop(): void;
}

/**
 * Measures by waiting: how late a timer is rung by the event loop, and, when anyone waits for a connection of the pool, how
 * long one more takes to get it.
 */
export function watchLoad(pool: Pool): LoadWatch {
  const samples = new Array<number>(samplesKept).fill(0);
  let probeSince: number | undefined;
  let lastProbeMs = 0;
  let expectedAt = performance.now() + sampleEveryMs;

  function probe(): void {
    const since = performance.now();
    probeSince = since;
    const end = () => {
      lastProbeMs = performance.now() - since;
      probeSince = undefined;
    };
    pool.connect().then((client) => {
      client.release();
      end();
    }, end);
  }

  const watch = {
    waitMs: 0,
    isWriteQueueFull: (accountId: string) => isWriteQueueFull(pool, accountId),
    stop: () => clearInterval(timer),
  };
  const timer = setInterval(() => {
    const now = performance.now();
    const lateMs = Math.max(0, now - expectedAt);
    expectedAt = now + sampleEveryMs;
    if (pool.waitingCount === 0) lastProbeMs = 0;
    else if (probeSince === undefined) probe();
    const queuedMs = probeSince === undefined ? lastProbeMs : Math.max(lastProbeMs, now - probeSince);
    samples.shift();
    samples.push(Math.max(lateMs, queuedMs));
    watch.waitMs = Math.min(...samples);
  }, sampleEveryMs);
  timer.unref();
  return watch;
}
