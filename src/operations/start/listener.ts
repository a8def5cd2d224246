import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { announceChange, changesChannel } from "../../access/accounts/announce-change.ts";
import type { AccessCache } from "../../access/api-keys/access-cache.ts";
import type { Pool } from "../../db/pool.ts";
import { readOnlyReason } from "../../db/read-only.ts";
import { retireAll } from "../../db/retire-connections.ts";
import { minute, type ShiftedClock, second } from "../../lib/clock.ts";
import type { Signal } from "../../lib/signal.ts";

/** How the listening connections of all processes are told apart from the rest. */
export const listenerName = "mostrador listener";

export interface ListenerDeps {
  url: string;
  pool: Pool;
  clock: ShiftedClock;
  access: AccessCache;
  /** Rings when another part of this process should forget what it knows of accounts. */
  changes?: Signal;
  /** Called when the connection is lost and when it is back. */
  onState?: (connected: boolean) => void;
  /** How often the connection is asked whether it still leads to a server that takes writes. */
  lookEveryMs?: number;
  maxAgeMs?: number;
}

const timeoutMs = 5 * second;

/**
 * One connection that hears what changed elsewhere: keys, accounts, the test clock. Whatever happened while it was not
 * connected is caught up by forgetting and reading again. Silence is no proof that nothing changed: the server may have
 * vanished, or become a standby whose news nobody sends. So it is asked now and then, and left in time.
 */
export async function listenForChanges(deps: ListenerDeps): Promise<{ stop: () => Promise<void> }> {
  const { lookEveryMs = 5 * second, maxAgeMs = 10 * minute } = deps;
  let stopped = false;
  let client: pg.Client | undefined;
  let connectedAt = 0;

  async function connect(): Promise<void> {
    const next = new pg.Client({
      connectionString: deps.url,
      application_name: listenerName,
      keepAlive: true,
      connectionTimeoutMillis: timeoutMs,
      query_timeout: timeoutMs,
    });
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
    try {
      await next.query(`listen ${changesChannel}`);
      await leaveReadOnly(next);
    } catch (error) {
      void next.end();
      throw error;
    }
    const last = client;
    client = next;
    connectedAt = performance.now();
    deps.access.clear();
    void last?.end();
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

  /** Throws when the server takes no writes; whatever else is connected to it must go as well. */
  async function leaveReadOnly(connected: pg.Client): Promise<void> {
    const reason = await readOnlyReason(connected);
    if (reason === undefined) return;
    retireAll(deps.pool);
    throw new Error(`the database ${reason}`);
  }

  async function look(): Promise<void> {
    const looked = client;
    if (!looked) return;
    try {
      await leaveReadOnly(looked);
    } catch {
      // Its end begins the next try.
      void looked.end();
      return;
    }
    if (performance.now() - connectedAt < maxAgeMs || client !== looked || stopped) return;
    // The next one is there before this one goes: nothing is missed, and nobody is told that we do not hear.
    await connect().catch(() => {
      if (client) return;
      deps.onState?.(false);
      void reconnect();
    });
  }

  async function hear(what: string): Promise<void> {
    if (what === "access") {
      deps.access.clear();
      deps.changes?.emit();
    }
    if (what === "clock") {
      await readClockOffset(deps.pool, deps.clock);
      await announceChange(deps.pool, "clock-applied");
    }
  }

  await connect();
  let looking: Promise<void> | undefined;
  const timer = setInterval(() => {
    looking ??= look().finally(() => {
      looking = undefined;
    });
  }, lookEveryMs);
  timer.unref();
  return {
    async stop() {
      stopped = true;
      clearInterval(timer);
      await looking;
      await client?.end().catch(() => {});
    },
  };
}

export async function readClockOffset(pool: Pool, clock: ShiftedClock): Promise<void> {
  const { rows } = await pool.query<{ clock_offset_ms: number }>("select clock_offset_ms from installation");
  clock.shiftTo(rows[0]?.clock_offset_ms ?? 0);
}
