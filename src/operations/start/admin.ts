import { setTimeout as delay } from "node:timers/promises";
import fastify, { type FastifyInstance } from "fastify";
import { refuseOddHosts } from "../../api/http/check-host.ts";
import { poolReadOnlyReason } from "../../db/read-only.ts";
import type { Deps } from "../../deps.ts";
import { type Metrics, metricsType } from "../../lib/metrics.ts";
import { build, commit, version } from "../../lib/version.ts";
import type { ClockStatus } from "./compare-clocks.ts";

/** The state of this process, apart from its database. */
export interface ProcessState {
  listening: () => boolean;
  serving: () => boolean;
  draining: () => boolean;
  clock: () => ClockStatus;
  /** Migrations that this process does not know. */
  newerSchema: () => readonly string[];
  /** The addresses of the database's nodes that do not answer. */
  nodesAway: () => readonly string[];
}

/** A database that takes longer is of no use to requests either. */
const timeoutMs = 2_000;

/** Health, readiness and metrics, on a separate port that is not exposed to the internet. */
export function buildAdmin(deps: Deps & { metrics: Metrics }, state: ProcessState): FastifyInstance {
  const admin = fastify({ logger: false, forceCloseConnections: true });
  refuseOddHosts(admin);
  admin.get("/healthz", () => ({ status: "ok", version, commit }));
  admin.get<{ Querystring: { exclude?: string } }>("/readyz", async (request, reply) => {
    const problems = await readinessProblems(deps, state, request.query.exclude !== "database");
    const warnings = readinessWarnings(state);
    return reply.code(problems.length === 0 ? 200 : 503).send({
      status: problems.length === 0 ? "ready" : "not ready",
      problems,
      ...(warnings.length > 0 && { warnings }),
    });
  });
  admin.get("/metrics", async (_request, reply) => reply.type(metricsType).send(await deps.metrics.render()));
  const stopObserving = observeReadiness(deps, state);
  admin.addHook("onClose", () => stopObserving());
  return admin;
}

async function readinessProblems(deps: Deps, state: ProcessState, withDatabase: boolean): Promise<string[]> {
  const problems: string[] = [];
  if (state.draining()) problems.push("stopping: send new requests elsewhere");
  if (!state.serving()) problems.push("still starting");
  // Without it for proxies: all processes share the database, so none would remain to send our error responses.
  if (withDatabase) {
    const database = await databaseProblem(deps);
    if (database !== undefined) problems.push(`database: ${database}`);
    const newer = state.newerSchema();
    if (newer.length > 0)
      problems.push(
        `the schema is newer than this build (${build} does not know ${newer.join(", ")}): replace this process`,
      );
    if (!state.listening()) problems.push("changes of keys and accounts are not being heard; reconnecting");
  }
  const clock = state.clock();
  if (clock.state === "away") problems.push(clock.message);
  return problems;
}

/** What somebody should look after although this process serves as well as any. */
function readinessWarnings(state: ProcessState): string[] {
  const clock = state.clock();
  const nodes = state.nodesAway();
  return [
    ...(clock.state === "off" ? [clock.message] : []),
    ...(nodes.length > 0 ? [`database: no answer from ${nodes.join(", ")}; the businesses there get 503`] : []),
  ];
}

function observeReadiness(deps: Deps & { metrics: Metrics }, state: ProcessState): () => void {
  return deps.metrics.collect(async () => [
    {
      name: "mostrador_ready",
      help: "1 when /readyz says 200.",
      value: (await readinessProblems(deps, state, true)).length === 0 ? 1 : 0,
    },
    {
      name: "mostrador_listener_up",
      help: "1 while changes of keys and accounts made elsewhere are heard.",
      value: state.listening() ? 1 : 0,
    },
  ]);
}

function databaseProblem({ pool }: Deps): Promise<string | undefined> {
  const reason = poolReadOnlyReason(pool).catch((error: Error) => error.message);
  return Promise.race([reason, delay(timeoutMs, `no answer in ${timeoutMs / 1000} s`, { ref: false })]);
}
