import type { Duplex } from "node:stream";
import type pg from "pg";
import { whileConnectionIsHeld } from "./held-connection.ts";
import type { Client, Pool } from "./pool.ts";
import type { Statement } from "./sql.ts";

/** The database is away, too busy or restarting: the same request may succeed in a moment. */
export function isUnavailable(error: unknown): boolean {
  return isAway(error) || matches(error, /^(53|58|55P03|57014|25P03)/, /timeout exceeded/i);
}

/** Of these, what is the server's and not one statement's. */
export function isAway(error: unknown): boolean {
  // 3D000 and 55000: the database does not exist or takes no connections, as while a backup is being restored.
  // 25006: it takes no writes, as the old server after a switchover.
  const codes = /^(08|57P|53300|25006|3D000|55000|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)/;
  return matches(error, codes, /terminated|not queryable|Connection ended|connection timeout|read timeout/i);
}

function matches(error: unknown, codes: RegExp, words: RegExp): boolean {
  const { code, message } = error as { code?: string; message?: string };
  return (code !== undefined && codes.test(code)) || (message !== undefined && words.test(message));
}

/** Runs `work` between BEGIN and COMMIT; any failure rolls back, and a connection in doubt is not used again. */
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

/** Everything that `send` asks for leaves in one packet: the driver would write one for each statement. */
export function inOnePacket<T>(client: Client, send: () => T): T {
  const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection;
  stream.cork();
  try {
    return send();
  } finally {
    stream.uncork();
  }
}

/** Sends statements in one packet. Waits for all of them, so that no rejection is left unheard, then reports the first. */
export async function sendTogether(
  client: Client,
  statements: readonly (Statement | string)[],
): Promise<pg.QueryResult[]> {
  const sent = inOnePacket(client, () => statements.map((statement) => client.query(statement as Statement)));
  const outcomes = await Promise.allSettled(sent);
  return outcomes.map((outcome) => {
    if (outcome.status === "rejected") throw outcome.reason;
    return outcome.value;
  });
}

/** Sends the last statements together with COMMIT in one round trip, and reports the first that failed. */
export async function commit(client: Client, statements: readonly Statement[]): Promise<pg.QueryResult[]> {
  const results = await sendTogether(client, [...statements, "commit"]);
  // PostgreSQL answers COMMIT of a failed transaction with ROLLBACK, and no error.
  if (results.at(-1)?.command !== "COMMIT") throw new Error("The transaction was rolled back by the database");
  return results;
}

export async function rollback(client: Client): Promise<void> {
  try {
    await client.query("rollback");
    client.release();
  } catch (error) {
    client.release(error instanceof Error ? error : true);
  }
}
