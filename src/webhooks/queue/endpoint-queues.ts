import type { EndpointKey, HandedDelivery, Room } from "../../engine/deliveries/delivery-signal.ts";
import type { SendingEndpoint } from "../endpoints/store.ts";
import type { Sender } from "../sending/send.ts";
import type { ClaimedDelivery, EndpointClaim } from "./claim.ts";
import { claimSize, endpointCap } from "./concurrency-caps.ts";

export interface WaitingDelivery extends ClaimedDelivery {
  /** On the process's own clock. */
  claimedAtMs: number;
}

/** One endpoint's queue as this process sees it. */
export interface EndpointQueue extends EndpointKey {
  account: AccountQueues;
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

interface AccountQueues {
  queues: Set<EndpointQueue>;
  inFlight: number;
}

/** The queues of one process; those that have waited longest for a claim come first. */
export interface EndpointQueues {
  byEndpoint: Map<string, EndpointQueue>;
  byAccount: Map<string, AccountQueues>;
  inFlight: number;
}

/** A claim to be made for one queue, with the signals it had received by then. */
export type PlannedClaim = EndpointClaim & Pick<EndpointQueue, "signals">;

/** An endpoint that delivers in less than this counts as fast. */
const fastMs = 1_000;
/** After this long without deliveries, a queue is forgotten and its connections are closed. */
const idleMs = 60_000;

export function newQueues(): EndpointQueues {
  return { byEndpoint: new Map(), byAccount: new Map(), inFlight: 0 };
}

function queueOf({ byEndpoint, byAccount }: EndpointQueues, { accountId, endpointId }: EndpointKey): EndpointQueue {
  const known = byEndpoint.get(endpointId);
  if (known) return known;
  const account = byAccount.get(accountId) ?? { queues: new Set(), inFlight: 0 };
  const queue: EndpointQueue = {
    accountId,
    endpointId,
    account,
    inFlight: 0,
    waiting: [],
    isFast: false,
    hasMore: false,
    signals: 0,
    usedAtMs: performance.now(),
    endpoint: undefined,
    sender: undefined,
  };
  byEndpoint.set(endpointId, queue);
  byAccount.set(accountId, account);
  account.queues.add(queue);
  return queue;
}

/** Whether the process knows that the database holds due deliveries of the endpoint, and will claim them when it has room. */
export function hasMore({ byEndpoint }: EndpointQueues, { endpointId }: EndpointKey): boolean {
  return byEndpoint.get(endpointId)?.hasMore ?? false;
}

/** Whether the process is already claiming for the endpoint or sending to it. */
export function isBusy({ byEndpoint }: EndpointQueues, { endpointId }: EndpointKey): boolean {
  const queue = byEndpoint.get(endpointId);
  return queue !== undefined && (queue.hasMore || queue.inFlight > 0);
}

/** Notes that the endpoint has something due. */
export function signal(queues: EndpointQueues, key: EndpointKey): void {
  const queue = queueOf(queues, key);
  queue.hasMore = true;
  queue.signals += 1;
}

export function planClaims(queues: EndpointQueues, most: number): PlannedClaim[] {
  return queues.byEndpoint
    .values()
    .filter((queue) => isWorthClaiming(queues, queue))
    .take(most)
    .map((queue) => {
      const { accountId, endpointId, signals } = queue;
      return { accountId, endpointId, signals, size: claimSize(capOf(queues, queue), queue) };
    })
    .toArray();
}

/** Adds what was claimed to its queues, and returns those queues. */
export function addClaimed(
  queues: EndpointQueues,
  claims: readonly PlannedClaim[],
  claimed: readonly ClaimedDelivery[],
): EndpointQueue[] {
  const byEndpoint = Map.groupBy(claimed, ({ endpointId }) => endpointId);
  const claimedAtMs = performance.now();
  return claims.map((claim) => {
    const queue = queueOf(queues, claim);
    const own = byEndpoint.get(claim.endpointId) ?? [];
    own.sort((a, b) => a.dueAt.getTime() - b.dueAt.getTime());
    for (const delivery of own) queue.waiting.push({ ...delivery, claimedAtMs });
    if (own.length < claim.size && queue.signals === claim.signals) queue.hasMore = false;
    // To the end: the next claim begins with the others.
    queues.byEndpoint.delete(queue.endpointId);
    queues.byEndpoint.set(queue.endpointId, queue);
    return queue;
  });
}

/** Adds deliveries that a write of this process has leased to it, and returns their queues. */
export function addHanded(queues: EndpointQueues, handed: readonly HandedDelivery[]): EndpointQueue[] {
  const claimedAtMs = performance.now();
  const filled = new Set<EndpointQueue>();
  for (const delivery of handed) {
    const queue = queueOf(queues, delivery);
    // It was leased only because the worker knows the endpoint's newest version.
    const endpointVersion = queue.endpoint?.version ?? 0;
    queue.waiting.push({
      ...delivery,
      endpointVersion,
      isTest: false,
      attemptsInSeries: 0,
      testBody: null,
      claimedAtMs,
    });
    filled.add(queue);
  }
  return [...filled];
}

/** What could be handed over for the account's endpoints: nothing where older deliveries wait in the database. */
export function roomsOf(queues: EndpointQueues, accountId: string): Room[] {
  return Array.from(queues.byAccount.get(accountId)?.queues ?? []).flatMap((queue) => {
    const { endpointId, endpoint, sender, isFast, hasMore } = queue;
    if (!isFast || hasMore || !endpoint || !sender) return [];
    return { endpointId, version: endpoint.version, size: claimSize(capOf(queues, queue), queue) };
  });
}

export function capOf(queues: EndpointQueues, { account, inFlight }: EndpointQueue): number {
  return endpointCap({ restOfAccount: account.inFlight - inFlight, restOfProcess: queues.inFlight - inFlight });
}

/** A claim is worth its statement when half of the queue's room is free. */
export function isWorthClaiming(queues: EndpointQueues, queue: EndpointQueue): boolean {
  if (!queue.hasMore) return false;
  const cap = capOf(queues, queue);
  return claimSize(cap, queue) * 2 >= claimSize(cap, { inFlight: 0, waiting: [], isFast: queue.isFast });
}

export function sendStarted(queues: EndpointQueues, queue: EndpointQueue): void {
  count(queues, queue, 1);
}

export function sendEnded(queues: EndpointQueues, queue: EndpointQueue, delivered: boolean, durationMs: number): void {
  count(queues, queue, -1);
  queue.isFast = delivered && durationMs < fastMs;
}

function count(queues: EndpointQueues, queue: EndpointQueue, change: 1 | -1): void {
  for (const counter of [queue, queue.account, queues]) counter.inFlight += change;
  queue.usedAtMs = performance.now();
}

/** The queue itself, then the others of its account: a send that ended makes room for them too. */
export function waitingInAccount(queue: EndpointQueue): EndpointQueue[] {
  return [queue, ...[...queue.account.queues].filter((other) => other !== queue && other.waiting.length > 0)];
}

/** Empties these queues, or all of them, and returns what they held. */
export function takeWaiting({ byEndpoint }: EndpointQueues, from = [...byEndpoint.values()]): ClaimedDelivery[] {
  return from.flatMap((queue) => {
    queue.hasMore ||= queue.waiting.length > 0;
    return queue.waiting.splice(0);
  });
}

export function countWaiting({ byEndpoint }: EndpointQueues): number {
  return byEndpoint.values().reduce((sum, { waiting }) => sum + waiting.length, 0);
}

export function forgetIdle({ byEndpoint, byAccount }: EndpointQueues): void {
  const before = performance.now() - idleMs;
  for (const queue of byEndpoint.values()) {
    if (queue.inFlight > 0 || queue.waiting.length > 0 || queue.hasMore || queue.usedAtMs > before) continue;
    queue.sender?.close();
    byEndpoint.delete(queue.endpointId);
    queue.account.queues.delete(queue);
    if (queue.account.queues.size === 0) byAccount.delete(queue.accountId);
  }
}

export function closeSenders({ byEndpoint }: EndpointQueues): void {
  for (const { sender } of byEndpoint.values()) sender?.close();
}
