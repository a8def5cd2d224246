import type { QueryResult, QueryResultRow } from "pg";
import { must } from "../lib/must.ts";
import { type PacketStatement, sendReads } from "./packet.ts";
import type { Client, Pool } from "./pool.ts";
import { isRetired } from "./retire-connections.ts";
import { isDown } from "./transaction.ts";

/** Runs reads that need no transaction. */
export interface Reads {
  query<Row extends QueryResultRow>(statement: PacketStatement): Promise<QueryResult<Row>>;
}

/** For short reads only: nothing that waits for a lock, needs a transaction or may take long. */
export interface ShortReads extends Reads {
  /** Releases the connections. Later reads each borrow one from the pool. */
  stop(): Promise<void>;
}

interface SharedConnection {
  client: Promise<Client>;
  /** The resolved `client`. */
  connected?: Client;
  /** Queries sent whose results have not arrived. */
  pending: number;
}

interface QueuedRead {
  statement: PacketStatement;
  resolve(result: QueryResult): void;
  reject(error: Error): void;
  isDone: boolean;
}

/** More would only compete for the same cores. A read that turns out slow delays only its own connection. */
const connectionCount = 3;

/**
 * Short reads share a few connections: all that are requested in one turn of the event loop travel in one packet each way,
 * instead of each on a connection of its own. Most of the cost of such a read is those packets.
 */
export function sharedReads(pool: Pool): ShortReads {
  return new SharedReads(pool);
}

class SharedReads implements ShortReads {
  readonly #pool: Pool;
  readonly #connections: (SharedConnection | undefined)[] = Array.from({ length: connectionCount });
  #queued: QueuedRead[] = [];
  #isStopped = false;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  query<Row extends QueryResultRow>(statement: PacketStatement): Promise<QueryResult<Row>> {
    return new Promise((resolve, reject) =>
      this.#queue({ statement, resolve: resolve as never, reject, isDone: false }),
    );
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#connections.filter((one) => one !== undefined).map((one) => this.#release(one)));
  }

  #queue(read: QueuedRead): void {
    this.#queued.push(read);
    if (this.#queued.length === 1) setImmediate(() => this.#send());
  }

  #send(): void {
    const batch = this.#queued;
    this.#queued = [];
    // A request may outlive the server's close. A connection opened now would never be released.
    if (this.#isStopped) {
      for (const { statement, resolve, reject } of batch) this.#pool.query(statement).then(resolve, reject);
      return;
    }
    this.#releaseRetired();
    const connection = this.#leastBusy();
    connection.pending += batch.length;
    connection.client.then(
      (client) => this.#sendTo(client, connection, batch),
      (error: Error) => {
        for (const { reject } of batch) reject(error);
      },
    );
  }

  #sendTo(client: Client, connection: SharedConnection, batch: readonly QueuedRead[]): void {
    const onResult = (place: number, result: QueryResult) => {
      const read = must(batch[place], "Every result is of a statement that was sent");
      connection.pending -= 1;
      read.isDone = true;
      read.resolve(result);
    };
    const onError = (error: Error) => {
      const [failed, ...notRun] = batch.filter((read) => !read.isDone);
      connection.pending -= 1 + notRun.length;
      failed?.reject(error);
      for (const read of notRun) {
        if (isDown(error)) read.reject(error);
        else this.#queue(read);
      }
    };
    const statements = batch.map((read) => read.statement);
    sendReads(client, statements, onResult, onError);
  }

  #leastBusy(): SharedConnection {
    let best = 0;
    for (let i = 1; i < this.#connections.length; i++)
      if ((this.#connections[i]?.pending ?? 0) < (this.#connections[best]?.pending ?? 0)) best = i;
    return this.#connections[best] ?? this.#open(best);
  }

  #open(at: number): SharedConnection {
    const connection: SharedConnection = { client: this.#pool.connect(), pending: 0 };
    connection.client.then(
      (client) => {
        connection.connected = client;
        client.once("error", (error: Error) => void this.#release(connection, error));
      },
      () => void this.#release(connection),
    );
    this.#connections[at] = connection;
    return connection;
  }

  /** The pool closes them once their pending results have arrived. */
  #releaseRetired(): void {
    for (const connection of this.#connections)
      if (connection?.connected && isRetired(this.#pool, connection.connected)) void this.#release(connection);
  }

  async #release(connection: SharedConnection, error?: Error): Promise<void> {
    const at = this.#connections.indexOf(connection);
    if (at === -1) return;
    this.#connections[at] = undefined;
    const client = await connection.client.catch(() => undefined);
    client?.release(error);
  }
}
