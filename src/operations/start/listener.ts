import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { announceChange, changesChannel } from "../../access/accounts/announce-change.ts";
import { listenerName, readClockOffset } from "../../access/accounts/test-clock.ts";
import type { AccessCache } from "../../access/api-keys/access-cache.ts";
import { newClient } from "../../db/client.ts";
import type { Pool } from "../../db/pool.ts";
import { readOnlyReason } from "../../db/read-only.ts";
import { retireAll } from "../../db/retire-connections.ts";
import { minute, type ShiftedClock, second } from "../../lib/clock.ts";
import type { Signal } from "../../lib/signal.ts";

export interface ListenerDeps {
  url: string;
  pool: Pool;
  clock: ShiftedClock;
  access: AccessCache;
  /** Emitted when other parts of this process should drop what they cached about accounts. */
  changes?: Signal;
  /** Called when the connection is lost and when it is back. */
  onState?: (connected: boolean) => void;
  /** How often to check that the connection still leads to a server that accepts writes. */
  checkEveryMs?: number;
  maxAgeMs?: number;
}

const timeoutMs = 5 * second;

/**
 * Keeps one connection that is notified of changes elsewhere: keys, accounts, the test clock. After a reconnection all
 * caches are cleared, because notifications may have been missed. Silence does not prove that nothing changed: the server
 * may have vanished, or become a standby that gets no notifications. So the connection is checked, and replaced by age.
 */
export async function listenForChanges(deps: ListenerDeps): Promise<{ stop: () => Promise<void> }> {
  const { checkEveryMs = 5 * second, maxAgeMs = 10 * minute } = deps;
  let isStopped = false;
  let client: pg.Client | undefined;
  let connectedAt = 0;

  function onEnd(ended: pg.Client): void {
    if (isStopped || client !== ended) return;
    client = undefined;
    deps.access.clear();
    deps.onState?.(false);
    void reconnect();
  }

  async function connect(): Promise<void> {
    const next = await openConnection(deps, onEnd);
    const previous = client;
    client = next;
    connectedAt = performance.now();
    deps.access.clear();
    void previous?.end();
    try {
      await readClockOffset(deps.pool, deps.clock);
    } catch (error) {
      // If it ended meanwhile, onEnd is already reconnecting.
      if (client !== next) return;
      client = undefined;
      void next.end();
      throw error;
    }
    if (client === next) deps.onState?.(true);
  }

  async function reconnect(): Promise<void> {
    for (let waitMs = 100; !isStopped; waitMs = Math.min(waitMs * 2, 2_000)) {
      try {
        await connect();
        return;
      } catch {
        await delay(waitMs, undefined, { ref: false });
      }
    }
  }

  async function check(): Promise<void> {
    const checked = client;
    if (!checked) return;
    try {
      await requireWritable(checked, deps.pool);
    } catch {
      // onEnd reconnects.
      void checked.end();
      return;
    }
    if (performance.now() - connectedAt < maxAgeMs || client !== checked || isStopped) return;
    // The new connection is open before the old one closes: nothing is missed, and readiness does not change.
    await connect().catch(() => {
      if (client) return;
      deps.onState?.(false);
      void reconnect();
    });
  }

  await connect();
  let checking: Promise<void> | undefined;
  const timer = setInterval(() => {
    checking ??= check().finally(() => {
      checking = undefined;
    });
  }, checkEveryMs);
  timer.unref();
  return {
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await checking;
      await client?.end().catch(() => {});
    },
  };
}

async function openConnection(deps: ListenerDeps, onEnd: (ended: pg.Client) => void): Promise<pg.Client> {
  const client = newClient({
    connectionString: deps.url,
    application_name: listenerName,
    keepAlive: true,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  });
  client.on("error", () => {});
  client.on("notification", ({ payload }) => void handleNotification(deps, payload ?? "").catch(() => {}));
  client.on("end", () => onEnd(client));
  await client.connect();
  try {
    await client.query(`listen ${changesChannel}`);
    await requireWritable(client, deps.pool);
    return client;
  } catch (error) {
    void client.end();
    throw error;
  }
}

/** Throws if the server refuses writes, and retires all connections of the pool to it. */
async function requireWritable(client: pg.Client, pool: Pool): Promise<void> {
  const reason = await readOnlyReason(client);
  if (reason === undefined) return;
  retireAll(pool);
  throw new Error(`the database ${reason}`);
}

async function handleNotification({ pool, clock, access, changes }: ListenerDeps, what: string): Promise<void> {
  if (what === "access") {
    access.clear();
    changes?.emit();
  }
  if (what === "clock") {
    await readClockOffset(pool, clock);
    await announceChange(pool, "clock-applied");
  }
}
