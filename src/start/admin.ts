import fastify, { type FastifyInstance } from "fastify";
import type { Deps } from "../deps.ts";

/** Health and readiness, on a port of their own that the internet never sees. */
export function buildAdmin(deps: Deps, state: { listening: () => boolean; serving: () => boolean }): FastifyInstance {
  const admin = fastify({ logger: false });
  admin.get("/healthz", () => ({ status: "ok" }));
  admin.get("/readyz", async (_request, reply) => {
    const problems: string[] = [];
    await deps.pool.query("select 1").catch((error: Error) => problems.push(`database: ${error.message}`));
    if (!state.serving()) problems.push("still starting");
    if (!state.listening()) problems.push("changes of keys and accounts are not being heard; reconnecting");
    return reply
      .code(problems.length === 0 ? 200 : 503)
      .send({ status: problems.length === 0 ? "ready" : "not ready", problems });
  });
  return admin;
}
