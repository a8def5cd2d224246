import pg from "pg";
import { whileConnectionIsHeld } from "./held-connection.ts";

export type Client = pg.PoolClient;

/** Which accounts cannot be reached now. */
export interface Reach {
  away: ReadonlySet<string>;
  /** The accounts that can be reached, by shard. Undefined while all can: they need not be told apart then. */
  living: readonly (readonly string[])[] | undefined;
}

/** What a watch has found last. */
export interface WatchedNodes {
  reach: Reach;
}

/** Connections to one database, and what this process knows of it. */
export class Pool extends pg.Pool {
  /** All that are open, and those to be closed when they are released. */
  readonly open = new Set<Client>();
  readonly retired = new WeakSet<Client>();
  /** Undefined until somebody asked. */
  hasCitus: boolean | undefined;
  /** Undefined while nobody watches the nodes. */
  nodes: WatchedNodes | undefined;
}

/** Runs statements: the pool, or a client inside a transaction. */
export type Queryable = Pick<pg.Pool, "query"> & { nodes?: WatchedNodes | undefined };

/** Runs `work` on a connection without timeouts, which is closed afterwards. */
export async function withoutTimeouts<T>(pool: Pool, work: (client: Client) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    const { connectionParameters } = client;
    connectionParameters.query_timeout = 0;
    await client.query("set statement_timeout = 0; set lock_timeout = 0");
    return await whileConnectionIsHeld(() => work(client));
  } finally {
    client.release(true);
  }
}
