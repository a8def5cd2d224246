import type pg from "pg";
import { whileConnectionIsHeld } from "./held-connection.ts";
import { sendPacket } from "./packet.ts";
import type { Client, Pool } from "./pool.ts";
import type { Statement } from "./sql.ts";

/** The database is down, too busy or restarting: the same request may succeed in a moment. */
export function isUnavailable(error: unknown): boolean {
  return isDown(error) || isNodeAway(error) || matches(error, /^(53|58|55P03|57014|25P03)/, /timeout exceeded/i);
}

/** Of these, errors that concern the whole server and not one statement. */
export function isDown(error: unknown): boolean {
  if (isNodeAway(error)) return false;
  return matches(error, downCodes, /terminated|not queryable|Connection ended|connection timeout|read timeout/i);
}

// 3D000 and 55000: the database does not exist or accepts no connections, as during a restore.
// 25006: it refuses writes, as the old server does after a switchover.
const downCodes = /^(08|57P|53300|25006|3D000|55000|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)/;

/** Of these, errors of one node of a Citus: the coordinator, and so the connection, is well, and so are other accounts. */
export function isNodeAway(error: unknown): boolean {
  const { code = "", message = "", where = "" } = error as { code?: string; message?: string; where?: string };
  // What the coordinator repeats of a node, XX000 if that was lost in the middle of a statement, or its own words.
  if (where.includes("while executing command on"))
    return downCodes.test(code) || (code === "XX000" && /connection|server closed/.test(message));
  return code.startsWith("080") && /\bnode\b/.test(message);
}

function matches(error: unknown, codes: RegExp, words: RegExp): boolean {
  const { code, message } = error as { code?: string; message?: string };
  return (code !== undefined && codes.test(code)) || (message !== undefined && words.test(message));
}

/** Runs `work` between BEGIN and COMMIT. Any failure rolls back; if that fails too, the connection is closed. */
export async function transaction<T>(pool: Pool, work: (client: Client) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    const result = await whileConnectionIsHeld(() => work(client));
    await commit(client, []);
    client.release();
    return result;
  } catch (error) {
    await rollback(client);
    throw error;
  }
}

/** Everything that `send` writes leaves in one packet; the driver would send one per statement. */
export function inOnePacket<T>(client: Client, send: () => T): T {
  const { stream } = client.connection;
  stream.cork();
  try {
    return send();
  } finally {
    stream.uncork();
  }
}

/** Sends the last statements with COMMIT in one round trip, and throws the first error. */
export async function commit(client: Client, statements: readonly Statement[]): Promise<pg.QueryResult[]> {
  const results = await sendPacket(client, [...statements, "commit"]);
  // COMMIT of a failed transaction returns ROLLBACK, and no error.
  if (results.at(-1)?.command !== "COMMIT") throw new Error("The transaction was rolled back by the database");
  return results;
}

/** One transaction in one packet, for statements that need nothing of each other. Several accounts wait for the disk once. */
export async function inOneTrip(pool: Pool, statements: readonly Statement[]): Promise<pg.QueryResult[]> {
  if (statements.length < 2) return Promise.all(statements.map((statement) => pool.query(statement)));
  const client = await pool.connect();
  try {
    const [, ...results] = await sendPacket(client, ["begin", ...statements, "commit"]);
    client.release();
    return results.slice(0, -1);
  } catch (error) {
    await rollback(client);
    throw error;
  }
}

/** The same for statements of one account each. Those of accounts whose node is away are left out, and have no result. */
export async function inOneTripWhereReached(
  pool: Pool,
  statements: readonly Statement[],
): Promise<(pg.QueryResult | undefined)[]> {
  try {
    return await inOneTrip(pool, statements);
  } catch (error) {
    if (!isNodeAway(error)) throw error;
  }
  const results: (pg.QueryResult | undefined)[] = [];
  for (const statement of statements) results.push(await unlessNodeAway(pool.query(statement)));
  return results;
}

/** Resolves with undefined if the work failed because a node is away. */
export async function unlessNodeAway<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (!isNodeAway(error)) throw error;
    return undefined;
  }
}

export async function rollback(client: Client): Promise<void> {
  try {
    await client.query("rollback");
    client.release();
  } catch (error) {
    client.release(error instanceof Error ? error : true);
  }
}
