import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { announceChange, changesChannel } from "../accounts/announce-change.ts";
import type { AccessCache } from "../api-keys/access-cache.ts";
import type { Pool } from "../db/pool.ts";
import type { Bell } from "../lib/bell.ts";
import type { ShiftedClock } from "../lib/clock.ts";

/** How the listening connections of all processes are told apart from the rest. */
export const listenerName = "mostrador listener";

export interface ListenerDeps {
  url: string;
  pool: Pool;
  clock: ShiftedClock;
  access: AccessCache;
  /** Rings when another part of this process should forget what it knows of accounts. */
  changes?: Bell;
  /** Called when the connection is lost and when it is back. */
  onState?: (connected: boolean) => void;
}

/**
 * One connection that hears what changed elsewhere: keys, accounts, the test clock. Whatever happened while it was not
 * connected is caught up by forgetting and reading again.
 */
export async function listenForChanges(deps: ListenerDeps): Promise<{ stop: () => Promise<void> }> {
  let stopped = false;
  let client: pg.Client | undefined;

  async function connect(): Promise<void> {
    const next = new pg.Client({ connectionString: deps.url, application_name: listenerName, keepAlive: true });
    next.on("error", () => {});
    next.on("notification", ({ payload }) => void hear(payload ?? "").catch(() => {}));
    next.on("end", () => {
      if (stopped || client !== next) return;
      client = undefined;
      deps.access.clear();
      deps.onState?.(false);
      void reconnect();
    });
    await next.connect();
    await next.query(`listen ${changesChannel}`);
    client = next;
    deps.access.clear();
    try {
      await readClockOffset(deps.pool, deps.clock);
    } catch (error) {
      // If it ended by itself meanwhile, that has begun the next try.
      if (client !== next) return;
      client = undefined;
      void next.end();
      throw error;
    }
    if (client === next) deps.onState?.(true);
  }

  async function reconnect(): Promise<void> {
    for (let waitMs = 100; !stopped; waitMs = Math.min(waitMs * 2, 2_000)) {
      try {
        await connect();
        return;
      } catch {
        await delay(waitMs, undefined, { ref: false });
      }
    }
  }

  async function hear(what: string): Promise<void> {
    if (what === "access") {
      deps.access.clear();
      deps.changes?.ring();
    }
    if (what === "clock") {
      await readClockOffset(deps.pool, deps.clock);
      await announceChange(deps.pool, "clock-applied");
    }
  }

  await connect();
  return {
    async stop() {
      stopped = true;
      await client?.end().catch(() => {});
    },
  };
}

export async function readClockOffset(pool: Pool, clock: ShiftedClock): Promise<void> {
  const { rows } = await pool.query<{ clock_offset_ms: number }>("select clock_offset_ms from installation");
  clock.shiftTo(rows[0]?.clock_offset_ms ?? 0);
}
