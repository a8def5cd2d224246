import pg from "pg";
import { minute } from "../lib/clock.ts";
import { isConnectionHeld, whileConnectionIsHeld } from "./held-connection.ts";
import { limitConnectionAge } from "./retire-connections.ts";
import { settleSession } from "./session-settings.ts";

export type Pool = pg.Pool;
export type Client = pg.PoolClient;
/** Whatever runs a statement: the pool, or the client that holds a transaction. */
export type Queryable = Pick<pg.Pool, "query">;

const timestamptz = 1184;
const int8 = 20;
const numeric = 1700;
const json = 114;

const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: "text" | "binary") => {
    if (format === "binary") return pg.types.getTypeParser(oid, "binary");
    // Stored bodies are handed on as text. Sequence numbers and pesos stay far below 2^53.
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

/** "10000-01-01 13:59:59+00" and "0001-12-31 10:00:00+00 BC": what a zone makes of the last and the first day one may send. */
function parseFarInstant(text: string): Date {
  const [, year, rest, isBefore] = /^(\d+)(-\S+ [\d:.]+)\+00( BC)?$/.exec(text) ?? [];
  if (year === undefined) return new Date(Number.NaN);
  const counted = isBefore ? 1 - Number(year) : Number(year);
  const sign = counted < 0 ? "-" : "+";
  return new Date(`${sign}${String(Math.abs(counted)).padStart(6, "0")}${rest!.replace(" ", "T")}Z`);
}

export interface PoolOptions {
  url: string;
  max?: number;
  applicationName?: string;
  /** How long a connection may take to be had. */
  connectMs?: number;
  /** How long an answer may take to come. */
  answerMs?: number;
  /** How long a connection may live. */
  longestLifeMs?: number;
  onError?: (error: Error) => void;
  /** Hears of code that asks for a connection while it holds one. Tests throw. */
  onNestedConnection?: (error: Error) => void;
}

/**
 * Statements of one transaction are written to the wire together (pipeline): a write costs two round trips however many
 * tables it touches. No wait is without an end: a lock, a statement and an idle transaction each have their limit, and a
 * connection whose answer is overdue is given up, for a server that vanished from the network does not say goodbye.
 */
export function createPool({
  url,
  max = 16,
  applicationName = "mostrador",
  connectMs = 5_000,
  answerMs = 20_000,
  longestLifeMs = 10 * minute,
  onError = () => {},
  onNestedConnection,
}: PoolOptions): Pool {
  // The pool waits for what onConnect promises, which its types do not say.
  type Options = Omit<pg.PoolConfig, "onConnect"> & { pipeline: boolean; onConnect: typeof settleSession };
  const options: Options = {
    connectionString: url,
    max,
    types,
    pipeline: true,
    application_name: applicationName,
    connectionTimeoutMillis: connectMs,
    idleTimeoutMillis: 60_000,
    query_timeout: answerMs,
    keepAlive: true,
    onConnect: settleSession,
  };
  const pool = new pg.Pool(options);
  // Without a listener on every client, a backend that dies would end the process. Whoever uses it hears of it anyway.
  pool.on("error", onError);
  pool.on("connect", (client) => client.on("error", () => {}));
  limitConnectionAge(pool, longestLifeMs);
  if (onNestedConnection) watchForSecond(pool, onNestedConnection);
  return pool;
}

/** A query of the pool itself connects too. */
function watchForSecond(pool: Pool, onNestedConnection: (error: Error) => void): void {
  const connect = pool.connect.bind(pool) as (...args: unknown[]) => unknown;
  const watched = (...args: unknown[]) => {
    if (isConnectionHeld()) onNestedConnection(new Error("A second connection was asked for by whoever holds one"));
    return connect(...args);
  };
  pool.connect = watched as Pool["connect"];
}

/** A connection whose statements take as long as they need. It ends with the work, and so do its settings. */
export async function withoutTimeouts<T>(pool: Pool, work: (client: Client) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    const { connectionParameters } = client as unknown as { connectionParameters: pg.ClientConfig };
    connectionParameters.query_timeout = 0;
    await client.query("set statement_timeout = 0; set lock_timeout = 0");
    return await whileConnectionIsHeld(() => work(client));
  } finally {
    client.release(true);
  }
}
