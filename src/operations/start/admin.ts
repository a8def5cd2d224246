import { setTimeout as delay } from "node:timers/promises";
import fastify, { type FastifyInstance } from "fastify";
import { readOnlyReason } from "../../db/read-only.ts";
import type { Deps } from "../../deps.ts";
import { type Metrics, metricsType } from "../../lib/metrics.ts";
import { version } from "../../lib/version.ts";
import type { ClockStanding } from "./compare-clocks.ts";

/** What a process says of itself beyond its database. */
export interface ProcessState {
  listening: () => boolean;
  serving: () => boolean;
  draining: () => boolean;
  clock: () => ClockStanding;
}

/** A database that takes longer than this is no help to a request either. */
const timeoutMs = 2_000;

/** Health, readiness and numbers, on a port of their own that the internet never sees. */
export function buildAdmin(deps: Deps & { metrics: Metrics }, state: ProcessState): FastifyInstance {
  const admin = fastify({ logger: false, forceCloseConnections: true });
  admin.get("/healthz", () => ({ status: "ok", version }));
  admin.get<{ Querystring: { exclude?: string } }>("/readyz", async (request, reply) => {
    const problems: string[] = [];
    if (state.draining()) problems.push("stopping: send new requests elsewhere");
    if (!state.serving()) problems.push("still starting");
    // For proxies: all processes share the database, so none would be left to answer in our words.
    if (request.query.exclude !== "database") {
      const database = await databaseProblem(deps);
      if (database !== undefined) problems.push(`database: ${database}`);
      if (!state.listening()) problems.push("changes of keys and accounts are not being heard; reconnecting");
    }
    const clock = state.clock();
    if (clock.state === "away") problems.push(clock.sentence);
    return reply.code(problems.length === 0 ? 200 : 503).send({
      status: problems.length === 0 ? "ready" : "not ready",
      problems,
      ...(clock.state === "off" && { warnings: [clock.sentence] }),
    });
  });
  admin.get("/metrics", async (_request, reply) => reply.type(metricsType).send(await deps.metrics.render()));
  return admin;
}

function databaseProblem({ pool }: Deps): Promise<string | undefined> {
  const answer = readOnlyReason(pool).catch((error: Error) => error.message);
  return Promise.race([answer, delay(timeoutMs, `no answer in ${timeoutMs / 1000} s`, { ref: false })]);
}
