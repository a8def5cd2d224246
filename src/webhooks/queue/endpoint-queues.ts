import type { EndpointKey, HandedDelivery, Room } from "../../engine/deliveries/delivery-signal.ts";
import type { SendingEndpoint } from "../endpoints/store.ts";
import type { Sender } from "../sending/send.ts";
import type { Claimed, ClaimedDelivery, EndpointClaim } from "./claim.ts";
import { claimPerRecord, claimSize, endpointCap } from "./concurrency-caps.ts";
import { join, type Line, leave, newLine, takeAll } from "./in-order.ts";

/** One endpoint's queue as this process sees it. */
export interface EndpointQueue extends EndpointKey, Line {
  account: AccountQueues;
  inFlight: number;
  isFast: boolean;
  /** Whether the database may hold more due deliveries. */
  hasMore: boolean;
  /** Records of which claims left deliveries there, because others of theirs go first. Further claims pass them by. */
  passed: Set<string>;
  /** Since when they are gathered. */
  passedAtMs: number;
  /** Records of which results were written since the last claim was planned: it may have seen them too early. */
  freed: Set<string>;
  /** Counts the signals received: one that arrives during a claim keeps `hasMore` set. */
  signals: number;
  usedAtMs: number;
  /** Of an endpoint that takes so many a second: what may be claimed until when. See pace.ts. */
  pace: { slots: number; untilMs: number; isAsking: boolean; timer: NodeJS.Timeout | undefined } | undefined;
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
  /** Those of endpoints that take so many a second. */
  paced: Set<EndpointQueue>;
  inFlight: number;
}

/** A claim to be made for one queue, with the signals it had received by then. */
export type PlannedClaim = EndpointClaim & Pick<EndpointQueue, "signals">;

/** An endpoint that delivers in less than this counts as fast. */
const fastMs = 1_000;
/** After this long without deliveries, a queue is forgotten and its connections are closed. */
const idleMs = 60_000;
/** After this long, claims look again at the records that they passed by: another process may have sent what was ahead of theirs. */
const passingMs = 500;

export function newQueues(): EndpointQueues {
  return { byEndpoint: new Map(), byAccount: new Map(), paced: new Set(), inFlight: 0 };
}

function queueOf({ byEndpoint, byAccount }: EndpointQueues, { accountId, endpointId }: EndpointKey): EndpointQueue {
  const known = byEndpoint.get(endpointId);
  if (known) return known;
  const account = byAccount.get(accountId) ?? { queues: new Set(), inFlight: 0 };
  const queue: EndpointQueue = {
    accountId,
    endpointId,
    ...newLine(),
    account,
    inFlight: 0,
    isFast: false,
    hasMore: false,
    passed: new Set(),
    passedAtMs: 0,
    freed: new Set(),
    signals: 0,
    usedAtMs: performance.now(),
    pace: undefined,
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
      if (isPassingOver(queue)) queue.passed.clear();
      queue.freed.clear();
      const { accountId, endpointId, signals } = queue;
      const size = Math.min(roomOf(queues, queue), slotsOf(queue));
      if (queue.pace) queue.pace.slots -= size;
      return { accountId, endpointId, signals, size, perRecord: claimPerRecord(queue), passed: [...queue.passed] };
    })
    .toArray();
}

/** Adds what was claimed to its queues, and returns those queues. */
export function addClaimed(
  queues: EndpointQueues,
  claims: readonly PlannedClaim[],
  { deliveries, held }: Claimed,
): EndpointQueue[] {
  const byEndpoint = Map.groupBy(deliveries, ({ endpointId }) => endpointId);
  const claimedAtMs = performance.now();
  return claims.map((claim) => {
    const queue = queueOf(queues, claim);
    const own = byEndpoint.get(claim.endpointId) ?? [];
    own.sort(inQueueOrder);
    for (const delivery of own) join(queue, { ...delivery, claimedAtMs });
    const { count = 0, records = [] } = held.get(claim.endpointId) ?? {};
    if (queue.passed.size === 0) queue.passedAtMs = claimedAtMs;
    for (const id of records) if (!queue.freed.has(id)) queue.passed.add(id);
    if (queue.pace) queue.pace.slots += Math.max(0, claim.size - own.length);
    const isAll = own.length + count < claim.size;
    const isNews = queue.signals !== claim.signals || records.some((id) => queue.freed.has(id));
    if (isAll && !isNews) queue.hasMore = false;
    // To the end: the next claim begins with the others.
    queues.byEndpoint.delete(queue.endpointId);
    queues.byEndpoint.set(queue.endpointId, queue);
    return queue;
  });
}

/** The order in which they were queued. */
function inQueueOrder(a: ClaimedDelivery, b: ClaimedDelivery): number {
  return a.dueAt.getTime() - b.dueAt.getTime() || (a.id < b.id ? -1 : 1);
}

/** Adds deliveries that a write of this process has leased to it, and returns their queues. */
export function addHanded(queues: EndpointQueues, handed: readonly HandedDelivery[]): EndpointQueue[] {
  const claimedAtMs = performance.now();
  const filled = new Set<EndpointQueue>();
  for (const delivery of handed) {
    const queue = queueOf(queues, delivery);
    // It was leased only because the worker knows the endpoint's newest version.
    const endpointVersion = queue.endpoint?.version ?? 0;
    join(queue, {
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
    const { endpointId, endpoint, sender, isFast, hasMore, passed, pace } = queue;
    if (!isFast || pace || hasMore || passed.size > 0 || !endpoint || !sender) return [];
    return { endpointId, version: endpoint.version, size: claimSize(capOf(queues, queue), queue) };
  });
}

export function capOf(queues: EndpointQueues, { account, inFlight }: EndpointQueue): number {
  return endpointCap({ restOfAccount: account.inFlight - inFlight, restOfProcess: queues.inFlight - inFlight });
}

/** A claim is worth its statement when half of the queue's room is free. */
export function isWorthClaiming(queues: EndpointQueues, queue: EndpointQueue): boolean {
  if (!hasMoreToClaim(queue)) return false;
  if (queue.pace) return Math.min(roomOf(queues, queue), slotsOf(queue)) >= 1;
  const cap = capOf(queues, queue);
  return claimSize(cap, queue) * 2 >= claimSize(cap, { inFlight: 0, waiting: [], behind: 0, isFast: queue.isFast });
}

export function hasMoreToClaim(queue: EndpointQueue): boolean {
  return queue.hasMore || isPassingOver(queue);
}

/** How many deliveries there is room for in memory. */
export function roomOf(queues: EndpointQueues, queue: EndpointQueue): number {
  return claimSize(capOf(queues, queue), queue);
}

/** How many may be claimed now of an endpoint that takes so many a second. */
export function slotsOf({ pace }: EndpointQueue): number {
  if (!pace) return Number.POSITIVE_INFINITY;
  return performance.now() < pace.untilMs ? pace.slots : 0;
}

/** Whether it is time to look again at what was passed by. */
function isPassingOver({ passed, passedAtMs }: EndpointQueue): boolean {
  return passed.size > 0 && performance.now() - passedAtMs > passingMs;
}

export function sendStarted(queues: EndpointQueues, queue: EndpointQueue): void {
  count(queues, queue, 1);
}

export function sendEnded(
  queues: EndpointQueues,
  queue: EndpointQueue,
  delivery: ClaimedDelivery,
  { delivered, durationMs }: { delivered: boolean; durationMs: number },
): void {
  count(queues, queue, -1);
  leave(queue, delivery);
  queue.isFast = delivered && durationMs < fastMs;
}

/** Notes that results were written or deliveries given back, and returns the queues where that may let others of a record go. */
export function recordsFreed(
  { byEndpoint }: EndpointQueues,
  deliveries: readonly Pick<ClaimedDelivery, "endpointId" | "objectId">[],
): EndpointQueue[] {
  const free = new Set<EndpointQueue>();
  for (const { endpointId, objectId } of deliveries) {
    const queue = byEndpoint.get(endpointId);
    // While more of the record is in the line, a claim would leave the others where they are.
    if (!queue || objectId === null || queue.ofRecord.has(objectId)) continue;
    queue.freed.add(objectId);
    if (queue.passed.delete(objectId)) free.add(queue);
  }
  return [...free];
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
    queue.passed.clear();
    return takeAll(queue);
  });
}

export function countWaiting({ byEndpoint }: EndpointQueues): number {
  return byEndpoint.values().reduce((sum, { waiting }) => sum + waiting.length, 0);
}

export function forgetIdle({ byEndpoint, byAccount, paced }: EndpointQueues): void {
  const before = performance.now() - idleMs;
  for (const queue of byEndpoint.values()) {
    if (queue.inFlight > 0 || queue.waiting.length > 0 || queue.hasMore || queue.usedAtMs > before) continue;
    queue.sender?.close();
    byEndpoint.delete(queue.endpointId);
    clearTimeout(queue.pace?.timer);
    paced.delete(queue);
    queue.account.queues.delete(queue);
    if (queue.account.queues.size === 0) byAccount.delete(queue.accountId);
  }
}

export function closeSenders({ byEndpoint }: EndpointQueues): void {
  for (const { sender } of byEndpoint.values()) sender?.close();
}
