import { setTimeout as delay } from "node:timers/promises";
import fastify, { type FastifyInstance } from "fastify";
import { readOnlyReason } from "../../db/read-only.ts";
import type { Deps } from "../../deps.ts";
import { type Metrics, metricsType } from "../../lib/metrics.ts";
import { version } from "../../lib/version.ts";
import type { ClockStatus } from "./compare-clocks.ts";

/** The state of this process, apart from its database. */
export interface ProcessState {
  listening: () => boolean;
  serving: () => boolean;
  draining: () => boolean;
  clock: () => ClockStatus;
}

/** A database that takes longer is of no use to requests either. */
const timeoutMs = 2_000;

/** Health, readiness and metrics, on a separate port that is not exposed to the internet. */
export function buildAdmin(deps: Deps & { metrics: Metrics }, state: ProcessState): FastifyInstance {
  const admin = fastify({ logger: false, forceCloseConnections: true });
  admin.get("/healthz", () => ({ status: "ok", version }));
  admin.get<{ Querystring: { exclude?: string } }>("/readyz", async (request, reply) => {
    const problems: string[] = [];
    if (state.draining()) problems.push("stopping: send new requests elsewhere");
    if (!state.serving()) problems.push("still starting");
    // For proxies: all processes share the database, so without it none would remain to send our error responses.
    if (request.query.exclude !== "database") {
      const database = await databaseProblem(deps);
      if (database !== undefined) problems.push(`database: ${database}`);
      if (!state.listening()) problems.push("changes of keys and accounts are not being heard; reconnecting");
    }
    const clock = state.clock();
    if (clock.state === "away") problems.push(clock.message);
    return reply.code(problems.length === 0 ? 200 : 503).send({
      status: problems.length === 0 ? "ready" : "not ready",
      problems,
      ...(clock.state === "off" && { warnings: [clock.message] }),
    });
  });
  admin.get("/metrics", async (_request, reply) => reply.type(metricsType).send(await deps.metrics.render()));
  return admin;
}

function databaseProblem({ pool }: Deps): Promise<string | undefined> {
  const reason = readOnlyReason(pool).catch((error: Error) => error.message);
  return Promise.race([reason, delay(timeoutMs, `no answer in ${timeoutMs / 1000} s`, { ref: false })]);
}
