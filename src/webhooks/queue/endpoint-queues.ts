import type { EndpointKey } from "../../engine/deliveries/delivery-signal.ts";
import type { SendingEndpoint } from "../endpoints/store.ts";
import type { Sender } from "../sending/send.ts";
import type { Claimed, EndpointClaim } from "./claim.ts";
import { claimSize } from "./concurrency-caps.ts";
import { sendingLoad } from "./sending-load.ts";

export interface WaitingDelivery extends Claimed {
  /** On the process's own clock. */
  claimedAtMs: number;
}

/** One endpoint's queue as this process sees it. */
export interface EndpointQueue extends EndpointKey {
  inFlight: number;
  /** Claimed and not yet sent, oldest first. */
  waiting: WaitingDelivery[];
  isFast: boolean;
  /** Whether the database may hold more due deliveries. */
  hasMore: boolean;
  /** Counts the signals received: one that arrives during a claim keeps `hasMore` set. */
  signals: number;
  usedAtMs: number;
  endpoint: SendingEndpoint | undefined;
  sender: Sender | undefined;
}

/** A claim to be made for one queue, with the signals it had received by then. */
export type PlannedClaim = EndpointClaim & Pick<EndpointQueue, "signals">;

/** The queues of one process: what each has in flight, and which to claim for next. */
export interface EndpointQueues {
  /** Whether the process is already claiming for the endpoint or sending to it. */
  isBusy(key: EndpointKey): boolean;
  /** Notes that the endpoint has something due. */
  signal(key: EndpointKey): void;
  /** The claims to make now, at most so many; queues that have waited longest come first. */
  planClaims(most: number): PlannedClaim[];
  /** Adds what was claimed to its queues, and returns those queues. */
  addClaimed(claims: readonly PlannedClaim[], claimed: readonly Claimed[]): EndpointQueue[];
  cap(queue: EndpointQueue): number;
  isWorthClaiming(queue: EndpointQueue): boolean;
  began(queue: EndpointQueue): void;
  ended(queue: EndpointQueue, delivered: boolean, durationMs: number): void;
  /** The queue itself, then the others of its account: a send that ended makes room for them too. */
  waitingInAccount(queue: EndpointQueue): EndpointQueue[];
  /** Empties these queues, or all of them, and returns what they held. */
  takeWaiting(from?: readonly EndpointQueue[]): Claimed[];
  /** For the operator: queues in use, requests in flight, and deliveries waiting in memory. */
  totals(): { queues: number; inFlight: number; waiting: number };
  forgetIdle(): void;
  close(): void;
}

/** An endpoint that delivers in less than this counts as fast. */
const fastMs = 1_000;
/** After this long without deliveries, a queue is forgotten and its connections are closed. */
const idleMs = 60_000;

export function endpointQueues(): EndpointQueues {
  const queues = new Map<string, EndpointQueue>();
  const load = sendingLoad<EndpointQueue>();

  function queueOf(key: EndpointKey): EndpointQueue {
    const known = queues.get(key.endpointId);
    if (known) return known;
    const queue = newQueue(key);
    queues.set(key.endpointId, queue);
    load.add(queue);
    return queue;
  }

  /** A claim is worth its statement when half of the queue's room is free. */
  function isWorthClaiming(queue: EndpointQueue): boolean {
    if (!queue.hasMore) return false;
    const most = load.cap(queue);
    return claimSize(most, queue) * 2 >= claimSize(most, { inFlight: 0, waiting: [], isFast: queue.isFast });
  }

  /** Puts the queue last: the next claim begins with the others. */
  function moveToEnd(queue: EndpointQueue): void {
    queues.delete(queue.endpointId);
    queues.set(queue.endpointId, queue);
  }

  return {
    isBusy({ endpointId }) {
      const queue = queues.get(endpointId);
      return queue !== undefined && (queue.hasMore || queue.inFlight > 0);
    },
    signal(key) {
      const queue = queueOf(key);
      queue.hasMore = true;
      queue.signals += 1;
    },
    planClaims(most) {
      const planned: PlannedClaim[] = [];
      for (const queue of queues.values()) {
        if (planned.length >= most) break;
        if (!isWorthClaiming(queue)) continue;
        const { accountId, endpointId, signals } = queue;
        planned.push({ accountId, endpointId, signals, size: claimSize(load.cap(queue), queue) });
      }
      return planned;
    },
    addClaimed(claims, claimed) {
      const byEndpoint = Map.groupBy(claimed, ({ endpointId }) => endpointId);
      const claimedAtMs = performance.now();
      return claims.map((claim) => {
        const queue = queueOf(claim);
        const own = byEndpoint.get(claim.endpointId) ?? [];
        own.sort((a, b) => a.dueAt.getTime() - b.dueAt.getTime());
        for (const delivery of own) queue.waiting.push({ ...delivery, claimedAtMs });
        if (own.length < claim.size && queue.signals === claim.signals) queue.hasMore = false;
        moveToEnd(queue);
        return queue;
      });
    },
    cap: load.cap,
    isWorthClaiming,
    began: (queue) => load.count(queue, 1),
    ended(queue, delivered, durationMs) {
      load.count(queue, -1);
      queue.isFast = delivered && durationMs < fastMs;
    },
    waitingInAccount(queue) {
      const others = load.queuesOf(queue.accountId).filter((one) => one !== queue && one.waiting.length > 0);
      return [queue, ...others];
    },
    takeWaiting(from = [...queues.values()]) {
      return from.flatMap((queue) => {
        queue.hasMore ||= queue.waiting.length > 0;
        return queue.waiting.splice(0);
      });
    },
    totals: () => ({
      queues: queues.size,
      inFlight: load.inFlight(),
      waiting: [...queues.values()].reduce((sum, queue) => sum + queue.waiting.length, 0),
    }),
    forgetIdle() {
      const before = performance.now() - idleMs;
      for (const queue of queues.values()) {
        if (queue.inFlight > 0 || queue.waiting.length > 0 || queue.hasMore || queue.usedAtMs > before) continue;
        queue.sender?.close();
        queues.delete(queue.endpointId);
        load.remove(queue);
      }
    },
    close() {
      for (const queue of queues.values()) queue.sender?.close();
    },
  };
}

function newQueue({ accountId, endpointId }: EndpointKey): EndpointQueue {
  return {
    accountId,
    endpointId,
    inFlight: 0,
    waiting: [],
    isFast: false,
    hasMore: false,
    signals: 0,
    usedAtMs: performance.now(),
    endpoint: undefined,
    sender: undefined,
  };
}
