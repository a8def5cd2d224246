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
  const listener = new Listener(deps);
  await listener.connect();
  let checking: Promise<void> | undefined;
  const timer = setInterval(
    () => {
      checking ??= listener.check().finally(() => {
        checking = undefined;
      });
    },
    deps.checkEveryMs ?? 5 * second,
  );
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await listener.stop(checking);
    },
  };
}

class Listener {
  readonly #deps: ListenerDeps;
  #isStopped = false;
  #client: pg.Client | undefined;
  #connectedAt = 0;

  constructor(deps: ListenerDeps) {
    this.#deps = deps;
  }

  async connect(): Promise<void> {
    const { access, pool, clock, onState } = this.#deps;
    const next = await openConnection(this.#deps, (ended) => this.#onEnd(ended));
    const previous = this.#client;
    this.#client = next;
    this.#connectedAt = performance.now();
    access.clear();
    void previous?.end();
    try {
      await readClockOffset(pool, clock);
    } catch (error) {
      // If it ended meanwhile, onEnd is already reconnecting.
      if (this.#client !== next) return;
      this.#client = undefined;
      void next.end();
      throw error;
    }
    if (this.#client === next) onState?.(true);
  }

  async check(): Promise<void> {
    const { pool, onState, maxAgeMs = 10 * minute } = this.#deps;
    const checked = this.#client;
    if (!checked) return;
    try {
      await requireWritable(checked, pool);
    } catch {
      // onEnd reconnects.
      void checked.end();
      return;
    }
    const isYoung = performance.now() - this.#connectedAt < maxAgeMs;
    if (isYoung || this.#client !== checked || this.#isStopped) return;
    // The new connection is open before the old one closes: nothing is missed, and readiness does not change.
    await this.connect().catch(() => {
      if (this.#client) return;
      onState?.(false);
      void this.#reconnect();
    });
  }

  async stop(checking: Promise<void> | undefined): Promise<void> {
    this.#isStopped = true;
    await checking;
    await this.#client?.end().catch(() => {});
  }

  #onEnd(ended: pg.Client): void {
    if (this.#isStopped || this.#client !== ended) return;
    this.#client = undefined;
    this.#deps.access.clear();
    this.#deps.onState?.(false);
    void this.#reconnect();
  }

  async #reconnect(): Promise<void> {
    for (let waitMs = 100; !this.#isStopped; waitMs = Math.min(waitMs * 2, 2_000)) {
      try {
        await this.connect();
        return;
      } catch {
        await delay(waitMs, undefined, { ref: false });
      }
    }
  }
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
