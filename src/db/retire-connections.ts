import type { EventEmitter } from "node:events";
import type { PoolClient as Client, Pool } from "pg";

/** What PostgreSQL answers to a write when it is a standby, or was told to take none. */
export const readOnlyCode = "25006";

const retired = new WeakSet<Client>();
const openClients = new WeakMap<Pool, Set<Client>>();

/** A crowd of refused writes must not keep closing what was opened since the first of them. */
const leastGapMs = 1_000;

/**
 * Gives every connection of the pool a longest life, and ends them all when one is told that its server takes no writes:
 * after a switchover the old server may go on answering, and whoever stays with it reads the past.
 */
export function limitConnectionAge(pool: Pool, longestLifeMs: number): void {
  const open = new Set<Client>();
  openClients.set(pool, open);
  let lastRetiredAt = Number.NEGATIVE_INFINITY;
  pool.on("connect", (client) => {
    open.add(client);
    // Not all at once: those that were opened together would be opened together again.
    const timer = setTimeout(() => retired.add(client), longestLifeMs * (0.75 + Math.random() / 4));
    timer.unref();
    client.once("end", () => clearTimeout(timer));
    const { connection } = client as unknown as { connection: EventEmitter };
    // Ahead of the driver's own ear, so that the connection is known to be of no use before it is given back.
    connection.prependListener("errorMessage", ({ code }: { code?: string }) => {
      if (code !== readOnlyCode) return;
      retired.add(client);
      if (performance.now() - lastRetiredAt < leastGapMs) return;
      lastRetiredAt = performance.now();
      retireAll(pool);
    });
  });
  pool.on("remove", (client) => open.delete(client as Client));
  // The pool does not keep a connection that is ending.
  pool.on("release", (_error, client) => {
    if (retired.has(client as Client)) void client.end();
  });
}

/** Whether the connection should be given back as soon as nobody waits for its answers. */
export function isRetired(client: Client): boolean {
  return retired.has(client);
}

/** No connection that is open now is used again; those at work end with it. */
export function retireAll(pool: Pool): void {
  for (const client of openClients.get(pool) ?? []) retired.add(client);
  // An idle one is closed by being taken and given back.
  for (let left = pool.idleCount; left > 0; left--)
    pool.connect().then(
      (client) => client.release(),
      () => {},
    );
}
