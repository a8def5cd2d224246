import type { Client, Pool } from "./pool.ts";

/** The error code for a write on a standby, or where default_transaction_read_only is on. */
export const readOnlyCode = "25006";

/** Many refused writes at once must not keep closing connections that were opened after the first. */
const minGapMs = 1_000;

/**
 * Closes connections of the pool when they reach a maximum age, and all of them once one learns that its server refuses
 * writes: after a switchover the old server may still accept connections, and reads from it would be stale.
 */
export function limitConnectionAge(pool: Pool, maxAgeMs: number): void {
  const { open, retired } = pool;
  let lastRetiredAt = Number.NEGATIVE_INFINITY;
  pool.on("connect", (client) => {
    open.add(client);
    // Jitter: connections that were opened together should not all be replaced together.
    const timer = setTimeout(() => retired.add(client), maxAgeMs * (0.75 + Math.random() / 4));
    timer.unref();
    client.once("end", () => clearTimeout(timer));
    // Before the driver's own listener, so that the connection is retired before it is released.
    client.connection.prependListener("errorMessage", ({ code }: { code?: string }) => {
      if (code !== readOnlyCode) return;
      retired.add(client);
      if (performance.now() - lastRetiredAt < minGapMs) return;
      lastRetiredAt = performance.now();
      retireAll(pool);
    });
  });
  pool.on("remove", (client) => open.delete(client as Client));
  // The pool drops a connection that is ending.
  pool.on("release", (_error, client) => {
    if (retired.has(client as Client)) void client.end();
  });
}

/** Whether the connection should be released as soon as its queries are done. */
export function isRetired({ retired }: Pool, client: Client): boolean {
  return retired.has(client);
}

/** No connection open now is used again; busy ones are closed when they are released. */
export function retireAll(pool: Pool): void {
  for (const client of pool.open) pool.retired.add(client);
  // Acquiring and releasing an idle connection closes it.
  for (let left = pool.idleCount; left > 0; left--)
    pool.connect().then(
      (client) => client.release(),
      () => {},
    );
}
