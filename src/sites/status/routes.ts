import { setTimeout as delay } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { compress } from "../../api/http/compression.ts";
import type { CoreDeps } from "../../engine/deps.ts";
import { second } from "../../lib/clock.ts";
import { sendPage } from "../docs/layout.ts";
import { latestIncidents, type Status } from "./incidents.ts";
import { statusPage } from "./page.ts";
import { readParts } from "./parts.ts";

export const statusPath = "/estado";

/** Whoever asks, and however often: the database is asked this seldom. */
const keptMs = 15 * second;
/** A page that waits for a database in trouble says nothing; this one says that it is in trouble. */
const patienceMs = 2 * second;

/** How the installation does, for everybody: no business, no figure of one, and no word of an error. */
export function statusRoutes(app: FastifyInstance, deps: Pick<CoreDeps, "pool" | "clock">): void {
  let latest: { untilMs: number; status: Promise<Status> } | undefined;
  const current = (): Promise<Status> => {
    if (!latest || performance.now() > latest.untilMs)
      latest = { untilMs: performance.now() + keptMs, status: readStatus(deps) };
    return latest.status;
  };
  app.get(statusPath, { onSend: compress }, async (_request, reply) => sendPage(reply, statusPage(await current())));
  app.get(`${statusPath}.json`, async (_request, reply) => {
    const { at, parts, incidents } = await current();
    void reply.header("cache-control", "no-cache");
    return {
      at: at.toISOString(),
      is_well: parts.every(({ isWell }) => isWell),
      parts: parts.map(({ part, isWell, waitingMs }) => ({
        part,
        is_well: isWell,
        waiting_seconds: Math.round(waitingMs / second),
      })),
      incidents: incidents.map(({ part, startedAt, endedAt }) => ({ part, started_at: startedAt, ended_at: endedAt })),
    };
  });
}

async function readStatus(deps: Pick<CoreDeps, "pool" | "clock">): Promise<Status> {
  const at = deps.clock.now();
  const away: Status = { at, parts: [{ part: "database", isWell: false, waitingMs: 0 }], incidents: [] };
  const read = async (): Promise<Status> => {
    const parts = await readParts(deps);
    return { at, parts, incidents: parts[0]!.isWell ? await latestIncidents(deps.pool, at) : [] };
  };
  return Promise.race([read().catch(() => away), delay(patienceMs, away, { ref: false })]);
}
