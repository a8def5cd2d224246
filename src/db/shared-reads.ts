import type { QueryResult, QueryResultRow } from "pg";
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
  const connections: (SharedConnection | undefined)[] = Array.from({ length: connectionCount });
  let queued: QueuedRead[] = [];
  let isStopped = false;

  function open(at: number): SharedConnection {
    const connection: SharedConnection = { client: pool.connect(), pending: 0 };
    connection.client.then(
      (client) => {
        connection.connected = client;
        client.once("error", (error: Error) => void release(connection, error));
      },
      () => void release(connection),
    );
    connections[at] = connection;
    return connection;
  }

  /** The pool closes them once their pending results have arrived. */
  function releaseRetired(): void {
    for (const connection of connections)
      if (connection?.connected && isRetired(connection.connected)) void release(connection);
  }

  async function release(connection: SharedConnection, error?: Error): Promise<void> {
    const at = connections.indexOf(connection);
    if (at === -1) return;
    connections[at] = undefined;
    const client = await connection.client.catch(() => undefined);
    client?.release(error);
  }

  function leastBusy(): SharedConnection {
    let best = 0;
    for (let i = 1; i < connections.length; i++)
      if ((connections[i]?.pending ?? 0) < (connections[best]?.pending ?? 0)) best = i;
    return connections[best] ?? open(best);
  }

  function send(): void {
    const batch = queued;
    queued = [];
    // A request may outlive the server's close. A connection opened now would never be released.
    if (isStopped) {
      for (const { statement, resolve, reject } of batch) pool.query(statement).then(resolve, reject);
      return;
    }
    releaseRetired();
    const connection = leastBusy();
    connection.pending += batch.length;
    connection.client.then(
      (client) => sendTo(client, connection, batch),
      (error: Error) => {
        for (const { reject } of batch) reject(error);
      },
    );
  }

  function sendTo(client: Client, connection: SharedConnection, batch: readonly QueuedRead[]): void {
    const onResult = (place: number, result: QueryResult) => {
      connection.pending -= 1;
      batch[place]!.isDone = true;
      batch[place]!.resolve(result);
    };
    const onError = (error: Error) => {
      const [failed, ...notRun] = batch.filter((read) => !read.isDone);
      connection.pending -= 1 + notRun.length;
      failed?.reject(error);
      if (isDown(error)) for (const { reject } of notRun) reject(error);
      else notRun.forEach(queue);
    };
    const statements = batch.map((read) => read.statement);
    sendReads(client, statements, onResult, onError);
  }

  function queue(read: QueuedRead): void {
    queued.push(read);
    if (queued.length === 1) setImmediate(send);
  }

  return {
    query: (statement) =>
      new Promise((resolve, reject) => queue({ statement, resolve: resolve as never, reject, isDone: false })),
    async stop() {
      isStopped = true;
      await Promise.all(connections.filter((one) => one !== undefined).map((one) => release(one)));
    },
  };
}
