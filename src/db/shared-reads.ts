import type { QueryArrayConfig, QueryConfig, QueryResult, QueryResultRow } from "pg";
import type { Client, Pool } from "./pool.ts";
import { isRetired } from "./retire-connections.ts";
import { inOnePacket } from "./transaction.ts";

type Statement = QueryConfig | QueryArrayConfig;

/** Whatever runs a read of its own. */
export interface Reads {
  query<Row extends QueryResultRow>(statement: Statement): Promise<QueryResult<Row>>;
}

/** For short reads only. Nothing that waits for a lock, holds a transaction or may take long belongs here. */
export interface ShortReads extends Reads {
  /** Gives the connections back; each read that is asked for after that gets one for itself, and returns it. */
  stop(): Promise<void>;
}

interface Lane {
  client: Promise<Client>;
  /** The same, once it is there. */
  connected?: Client;
  /** How many of its answers are still to come. */
  waiting: number;
}

interface Asked {
  statement: Statement;
  answer: (error: Error | undefined, result: QueryResult) => void;
}

/** More would only take turns on the same cores; a read that is slow after all holds up no more than its own lane. */
const laneCount = 3;

/**
 * Short reads share a few connections: all that are asked for in one turn of the event loop go out in one packet and come
 * back in one, instead of each on a connection of its own. Most of what such a read costs is those packets.
 */
export function sharedReads(pool: Pool): ShortReads {
  const lanes: (Lane | undefined)[] = Array.from({ length: laneCount });
  let asked: Asked[] = [];
  let isStopped = false;

  function open(at: number): Lane {
    const lane: Lane = { client: pool.connect(), waiting: 0 };
    lane.client.then(
      (client) => {
        lane.connected = client;
        client.once("error", (error: Error) => void leave(lane, error));
      },
      () => void leave(lane),
    );
    lanes[at] = lane;
    return lane;
  }

  /** Its answers that are still to come are waited for by the pool, which closes it. */
  function leaveRetired(): void {
    for (const lane of lanes) if (lane?.connected && isRetired(lane.connected)) void leave(lane);
  }

  async function leave(lane: Lane, error?: Error): Promise<void> {
    const at = lanes.indexOf(lane);
    if (at === -1) return;
    lanes[at] = undefined;
    const client = await lane.client.catch(() => undefined);
    client?.release(error);
  }

  function leastBusy(): Lane {
    let best = 0;
    for (let i = 1; i < lanes.length; i++) if ((lanes[i]?.waiting ?? 0) < (lanes[best]?.waiting ?? 0)) best = i;
    return lanes[best] ?? open(best);
  }

  function send(): void {
    const batch = asked;
    asked = [];
    // A request may outlive its client, and thus the close. A lane opened now would never be given back.
    if (isStopped) {
      for (const { statement, answer } of batch) pool.query(statement, answer);
      return;
    }
    leaveRetired();
    const lane = leastBusy();
    lane.waiting += batch.length;
    lane.client.then(
      (client) => {
        inOnePacket(client, () => {
          for (const { statement, answer } of batch) {
            client.query(statement, (error: Error | undefined, result: QueryResult) => {
              lane.waiting -= 1;
              answer(error, result);
            });
          }
        });
      },
      (error: Error) => {
        for (const { answer } of batch) answer(error, undefined as never);
      },
    );
  }

  return {
    query: (statement) =>
      new Promise((resolve, reject) => {
        if (
          asked.push({ statement, answer: (error, result) => (error ? reject(error) : resolve(result as never)) }) === 1
        )
          setImmediate(send);
      }),
    async stop() {
      isStopped = true;
      await Promise.all(lanes.filter((lane) => lane !== undefined).map((lane) => leave(lane)));
    },
  };
}
