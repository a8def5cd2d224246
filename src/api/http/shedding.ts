import type { FastifyInstance } from "fastify";
import type { Pool } from "../../db/pool.ts";
import type { WriteQueue } from "../../engine/writing/write-queue.ts";
import { second } from "../../lib/clock.ts";
import type { Metrics } from "../../lib/metrics.ts";
import { unavailable } from "./error-handler.ts";
import { kindOfRoute, type RequestKind, requestKinds } from "./request-kind.ts";

/**
 * The wait from which requests of each kind are shed: those that are safe to repeat first, a register's sales last, just
 * before the 5 s after which getting a connection times out anyway.
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

/** The less urgent, the later the client should retry. */
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

/** How long a request that arrives now has to wait, beyond its own work. */
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

/** Refuses requests that could not be served in time, before even looking at their key. */
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
  // Here the account is known and the body not yet read. A full write queue concerns only its own account.
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
/** One long pause is not overload: the lowest of the last samples counts. */
const samplesKept = 3;

export interface LoadWatch extends Load {
  stop(): void;
}

/**
 * Measures how late the event loop fires a timer and, while requests wait for a pool connection, how long one more takes to
 * get it.
 */
export function watchLoad({ pool, writes }: { pool: Pool; writes: WriteQueue }): LoadWatch {
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
    isWriteQueueFull: (accountId: string) => writes.isFull(accountId),
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
