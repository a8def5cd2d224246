import type { Pool } from "../../src/db/pool.ts";

/** Passes the pool's next statement that contains this text to `meddle`, which runs, delays or fails it. */
export function interfere<T>(pool: Pool, text: string, meddle: (run: () => Promise<T>) => Promise<T>): void {
  const { query } = pool;
  pool.query = ((statement: string | { text: string }, ...rest: unknown[]) => {
    const run = () => (query as (...parts: unknown[]) => Promise<T>).call(pool, statement, ...rest);
    if (!(typeof statement === "string" ? statement : statement.text).includes(text)) return run();
    pool.query = query;
    return meddle(run);
  }) as typeof pool.query;
}

/** The next transaction fails because the server is gone. */
export function refuseTransaction(pool: Pool): void {
  const { connect } = pool;
  pool.connect = ((...parts: [() => void]) => {
    // With a callback it is the pool's own call for a single statement.
    if (parts.length > 0) return connect.apply(pool, parts);
    pool.connect = connect;
    return serverGone();
  }) as typeof pool.connect;
}

/** What the driver reports when its server goes away. */
export function serverGone(): Promise<never> {
  return Promise.reject(Object.assign(new Error("terminating connection"), { code: "57P01" }));
}
