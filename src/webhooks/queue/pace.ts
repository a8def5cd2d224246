import type { Pool } from "../../db/pool.ts";
import { takePace } from "../endpoints/pace.ts";
import { type EndpointQueue, type EndpointQueues, hasMoreToClaim, roomOf, slotsOf } from "./endpoint-queues.ts";

/** What was taken of an endpoint's second is used within this time or not at all. */
const usableMs = 1_000;
/** After nothing could be taken. */
const shortestWaitMs = 100;
const pauseAfterErrorMs = 1_000;

/** Notes whether the endpoint, just read, has a limit. True when it has one that this process did not know of. */
export function setPace({ paced }: EndpointQueues, queue: EndpointQueue): boolean {
  const isNew = queue.pace === undefined;
  if (typeof queue.endpoint?.perSecond === "number") {
    queue.pace ??= { slots: 0, untilMs: 0, isAsking: false, timer: undefined };
    paced.add(queue);
    return isNew;
  }
  clearTimeout(queue.pace?.timer);
  queue.pace = undefined;
  paced.delete(queue);
  return false;
}

/**
 * Asks for room in the second of each endpoint that has a limit and something to send; `onRoom` is called when there is some, or when it
 * is worth asking again. Beside the claims, so that no other endpoint waits for it.
 */
export function askForPace(queues: EndpointQueues, pool: Pool, onRoom: () => void): void {
  for (const queue of queues.paced) {
    const { pace } = queue;
    const room = roomOf(queues, queue);
    if (!pace || pace.isAsking || pace.timer || room < 1 || slotsOf(queue) > 0 || !hasMoreToClaim(queue)) continue;
    pace.isAsking = true;
    const wait = (ms: number) => {
      pace.timer = setTimeout(() => {
        pace.timer = undefined;
        onRoom();
      }, ms).unref();
    };
    const intervalMs = 1_000 / (queue.endpoint?.perSecond ?? 1);
    void takePace(pool, queue, room).then(
      (taken) => {
        pace.isAsking = false;
        // Without a limit any more, it is claimed for as the others are.
        pace.slots = taken ?? room;
        pace.untilMs = performance.now() + usableMs;
        if (pace.slots > 0) onRoom();
        else wait(Math.max(intervalMs, shortestWaitMs));
      },
      () => {
        pace.isAsking = false;
        wait(pauseAfterErrorMs);
      },
    );
  }
}

export function endPaces({ paced }: EndpointQueues): void {
  for (const { pace } of paced) clearTimeout(pace?.timer);
}
