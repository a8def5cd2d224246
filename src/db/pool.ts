import pg from "pg";
import { minute } from "../lib/clock.ts";
import { newClient } from "./client.ts";
import { isConnectionHeld, whileConnectionIsHeld } from "./held-connection.ts";
import type { WatchedNodes } from "./nodes.ts";
import { limitConnectionAge } from "./retire-connections.ts";
import { applySessionSettings } from "./session-settings.ts";

export type Client = pg.PoolClient;

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

const timestamptz = 1184;
const int8 = 20;
const numeric = 1700;
const json = 114;

const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: "text" | "binary") => {
    if (format === "binary") return pg.types.getTypeParser(oid, "binary");
    // Stored bodies stay text. Sequence numbers and pesos stay far below 2^53.
    if (oid === json) return (text: string) => text;
    if (oid === int8 || oid === numeric) return Number;
    if (oid === timestamptz) return parseInstant;
    return pg.types.getTypeParser(oid, "text");
  }) as typeof pg.types.getTypeParser,
};

/** PostgreSQL writes "2026-11-15 14:05:09.123+00" in a UTC session. */
export function parseInstant(text: string): Date {
  const usual = new Date(`${text.slice(0, 10)}T${text.slice(11).replace("+00", "Z")}`);
  return Number.isNaN(usual.getTime()) ? parseFarInstant(text) : usual;
}

/** The first and last accepted days, shifted by a time zone: "10000-01-01 13:59:59+00", "0001-12-31 10:00:00+00 BC". */
function parseFarInstant(text: string): Date {
  const [, year, rest, isBeforeChrist] = /^(\d+)(-\S+ [\d:.]+)\+00( BC)?$/.exec(text) ?? [];
  if (year === undefined) return new Date(Number.NaN);
  const astronomical = isBeforeChrist ? 1 - Number(year) : Number(year);
  const sign = astronomical < 0 ? "-" : "+";
  return new Date(`${sign}${String(Math.abs(astronomical)).padStart(6, "0")}${rest!.replace(" ", "T")}Z`);
}

export interface PoolOptions {
  /** Of one server or of several, of which one accepts writes. */
  url: string;
  max?: number;
  applicationName?: string;
  /** How long to wait for a connection. */
  connectMs?: number;
  /** How long to wait for the result of a query. */
  queryMs?: number;
  /** Older connections are closed. */
  maxAgeMs?: number;
  onError?: (error: Error) => void;
  /** Called when code asks for a connection while it holds one. Tests throw. */
  onNestedConnection?: (error: Error) => void;
}

/**
 * Statements of one transaction are pipelined: a write costs two round trips however many tables it touches. Every wait has
 * a timeout: locks, statements and idle transactions on the server, and overdue results here, because a server that
 * vanished from the network never closes its connections.
 */
export function createPool({
  url,
  max = 16,
  applicationName = "mostrador",
  connectMs = 5_000,
  queryMs = 20_000,
  maxAgeMs = 10 * minute,
  onError = () => {},
  onNestedConnection,
}: PoolOptions): Pool {
  // The pool calls it with `new` and the options; its types ask for a class that takes none.
  const clientClass: unknown = newClient;
  // The pool awaits the promise of onConnect, which its types do not say.
  type Options = Omit<pg.PoolConfig, "onConnect"> & { pipeline: boolean; onConnect: typeof applySessionSettings };
  const options: Options = {
    connectionString: url,
    Client: clientClass as typeof pg.Client,
    max,
    types,
    pipeline: true,
    application_name: applicationName,
    connectionTimeoutMillis: connectMs,
    idleTimeoutMillis: 60_000,
    query_timeout: queryMs,
    keepAlive: true,
    onConnect: applySessionSettings,
  };
  const pool = new Pool(options);
  // Without an error listener, a backend that dies would crash the process. Queries in progress fail anyway.
  pool.on("error", onError);
  pool.on("connect", (client) => client.on("error", () => {}));
  limitConnectionAge(pool, maxAgeMs);
  if (onNestedConnection) watchNested(pool, onNestedConnection);
  return pool;
}

/** Also covers pool.query(), which connects too. */
function watchNested(pool: Pool, onNestedConnection: (error: Error) => void): void {
  const connect = pool.connect.bind(pool) as (...args: unknown[]) => unknown;
  const watched = (...args: unknown[]) => {
    if (isConnectionHeld()) onNestedConnection(new Error("A second connection was requested while one is held"));
    return connect(...args);
  };
  pool.connect = watched as Pool["connect"];
}

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
