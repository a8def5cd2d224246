import type { EndpointKey, HandedDelivery } from "../../engine/deliveries/delivery-signal.ts";
import { leaseSeconds } from "../../engine/deliveries/fan-out.ts";
import type { CoreDeps } from "../../engine/deps.ts";
import { second } from "../../lib/clock.ts";
import { newMetrics } from "../../lib/metrics.ts";
import type { SendingEndpoint } from "../endpoints/store.ts";
import type { Network } from "../sending/connection.ts";
import { userAgentOf } from "../sending/delivery-headers.ts";
import type { Sender, SendResult } from "../sending/send.ts";
import { logFields, requestFor, resultOf, type SendTime } from "./attempt.ts";
import { type ClaimedDelivery, claimDeliveries } from "./claim.ts";
import { type DeliveryMeter, deliveryMeter } from "./delivery-meter.ts";
import {
  addClaimed,
  addHanded,
  capOf,
  closeSenders,
  type EndpointQueue,
  type EndpointQueues,
  isWorthClaiming,
  newQueues,
  planClaims,
  recordsFreed,
  sendEnded,
  sendStarted,
  signal,
  takeWaiting,
  waitingInAccount,
} from "./endpoint-queues.ts";
import { leave, takeNext, type WaitingDelivery } from "./in-order.ts";
import { askForPace, endPaces, setPace } from "./pace.ts";
import { releaseUnsent } from "./record-results.ts";
import { refreshEndpoints, staleQueues } from "./refresh-endpoints.ts";
import { type ResultWriter, resultWriter } from "./result-writer.ts";

/** A delivery that waited longer than this in memory is not sent: its lease must outlive its send. */
const longestWaitMs = 5 * second;
/** Up to then its lease is certainly its own, and it can be given back. */
const certainLeaseMs = 0.75 * leaseSeconds * second;
const endpointsPerClaim = 200;

/**
 * Takes deliveries from claimed to sending to recorded: it claims in batches, sends concurrently, records in batches, and
 * holds no transaction while it sends. It knows nothing of polling.
 */
export interface Dispatcher {
  readonly deps: CoreDeps;
  readonly network: Network;
  readonly userAgent: string;
  readonly queues: EndpointQueues;
  readonly results: ResultWriter;
  readonly meter: DeliveryMeter;
  isStopped: boolean;
  claiming?: Promise<void> | undefined;
  onDrained?: () => void;
}

export function newDispatcher(deps: CoreDeps, network: Network): Dispatcher {
  const queues = newQueues();
  const meter = deliveryMeter(deps.metrics ?? newMetrics(), queues);
  const userAgent = userAgentOf(deps.config.publicUrl);
  const results = resultWriter(deps, (written) => {
    const free = recordsFreed(queues, written);
    if (free.length > 0) wake(self, free);
  });
  const self: Dispatcher = { deps, network, userAgent, queues, meter, results, isStopped: false };
  return self;
}

/** Claims for these endpoints: something is due there. */
export function wake(self: Dispatcher, endpoints: readonly EndpointKey[]): void {
  for (const endpoint of endpoints) signal(self.queues, endpoint);
  claimMore(self);
}

/** Sends what a write of this process has leased to it. */
export async function takeHanded(self: Dispatcher, handed: readonly HandedDelivery[]): Promise<void> {
  const filled = addHanded(self.queues, handed);
  if (self.isStopped) return giveBack(self, filled);
  try {
    await sendFrom(self, filled);
  } catch (error) {
    self.deps.log.warn({ err: error }, "webhook endpoints not read; looking again shortly");
  }
}

/** Releases the deliveries that wait in memory. */
export async function giveBack({ deps, queues }: Dispatcher, from?: EndpointQueue[]): Promise<void> {
  const waiting = takeWaiting(queues, from);
  if (waiting.length > 0) await releaseUnsent(deps.pool, waiting).catch(() => {});
}

/** Starts no more sends, waits for those in flight, and records their results. */
export async function stopDispatcher(self: Dispatcher): Promise<void> {
  self.isStopped = true;
  await giveBack(self);
  // A claim under way brings deliveries that will not be sent here: they must not wait for their lease to end.
  await self.claiming;
  await giveBack(self);
  if (self.queues.inFlight > 0) await new Promise<void>((resolve) => (self.onDrained = resolve));
  endPaces(self.queues);
  await self.results.stop();
  self.meter.stop();
  closeSenders(self.queues);
}

/** One claim at a time: whatever falls due meanwhile is claimed together by the next. */
function claimMore(self: Dispatcher): void {
  pace(self);
  self.claiming ??= claimAndSend(self).finally(() => {
    self.claiming = undefined;
  });
}

function pace(self: Dispatcher): void {
  if (!self.isStopped) askForPace(self.queues, self.deps.pool, () => claimMore(self));
}

/** Claims for every queue that has room and may have something due, until there is none. */
async function claimAndSend(self: Dispatcher): Promise<void> {
  const { deps, queues } = self;
  try {
    for (;;) {
      const claims = self.isStopped || !deps.clock.isTrusted() ? [] : planClaims(queues, endpointsPerClaim);
      if (claims.length === 0) return;
      const filled = addClaimed(queues, claims, await claimDeliveries(deps.pool, claims, deps.clock.now()));
      await sendFrom(self, filled);
      pace(self);
    }
  } catch (error) {
    deps.log.warn({ err: error }, "webhook queue not reachable; looking again shortly");
  }
}

async function sendFrom(self: Dispatcher, filled: readonly EndpointQueue[]): Promise<void> {
  // Endpoints that are known already neither wait for the others to be read nor fail with them.
  for (const queue of filled) startSends(self, queue);
  const stale = staleQueues(filled);
  if (stale.length === 0) return;
  await refreshEndpoints(self.deps, self.network, stale).catch(async (error: unknown) => {
    // A queue full of deliveries that cannot be sent would never be claimed for again.
    await giveBack(self, stale);
    throw error;
  });
  // What was claimed before the endpoint's limit was known goes back, and is claimed as fast as the endpoint takes it.
  const limited = stale.filter((queue) => setPace(self.queues, queue));
  if (limited.length > 0) {
    await giveBack(self, limited);
    claimMore(self);
  }
  for (const queue of filled) startSends(self, queue);
}

function startSends(self: Dispatcher, queue: EndpointQueue): void {
  const { endpoint, sender } = queue;
  const late: WaitingDelivery[] = [];
  while (!self.isStopped && queue.waiting.length > 0 && queue.inFlight < capOf(self.queues, queue)) {
    // A send that ended may lead here while the endpoint is still being read; claimAndSend comes back then.
    const delivery = endpoint && sender && takeNext(queue, endpoint.version);
    if (!delivery) break;
    const isLate = performance.now() - delivery.claimedAtMs > longestWaitMs;
    if (isLate) late.push(delivery);
    // An unwritten one was sent, and its lease ended before its result was written.
    if (isLate || self.results.isUnwritten(delivery)) leave(queue, delivery);
    else send(self, queue, endpoint, sender, delivery);
  }
  if (late.length > 0) void release(self, queue, late);
}

/** Gives back what waited too long behind others of its record. */
async function release(self: Dispatcher, queue: EndpointQueue, late: readonly WaitingDelivery[]): Promise<void> {
  const own = late.filter(({ claimedAtMs }) => performance.now() - claimedAtMs < certainLeaseMs);
  await releaseUnsent(self.deps.pool, own).catch(() => {});
  recordsFreed(self.queues, own);
  if (own.length > 0) wake(self, [queue]);
}

function send(
  self: Dispatcher,
  queue: EndpointQueue,
  endpoint: SendingEndpoint,
  sender: Sender,
  delivery: ClaimedDelivery,
): void {
  const { clock } = self.deps;
  const at = clock.now();
  const time = { at, signedAt: new Date(at.getTime() - clock.offsetMs()) };
  const request = requestFor(delivery, endpoint, time, self.userAgent);
  if (!request) {
    self.results.add({ delivery, attempt: null, next: { kind: "dropped" } });
    leave(queue, delivery);
    return;
  }
  sendStarted(self.queues, queue);
  void sender.send(request).then((result) => {
    const { outcome, durationMs } = result;
    sendEnded(self.queues, queue, delivery, { delivered: outcome?.delivered === true, durationMs });
    record(self, delivery, time, result);
    for (const other of waitingInAccount(queue)) startSends(self, other);
    if (isWorthClaiming(self.queues, queue)) claimMore(self);
    else if (queue.pace) pace(self);
    if (self.onDrained && self.queues.inFlight === 0) self.onDrained();
  });
}

function record(
  { deps, meter, results }: Dispatcher,
  delivery: ClaimedDelivery,
  time: SendTime,
  result: SendResult,
): void {
  const { outcome, durationMs, remoteAddress, error } = result;
  meter.attempted(outcome, durationMs);
  if (!outcome) {
    deps.log.error({ ...logFields(delivery), err: error }, "a delivery could not be attempted, for a reason of ours");
    void releaseUnsent(deps.pool, [delivery], 1_000).catch(() => {});
    return;
  }
  const failure = outcome.delivered ? null : outcome.failure;
  const fields = { status: outcome.status, failure, ms: durationMs, remote_address: remoteAddress, err: error };
  deps.log.info({ ...logFields(delivery), ...fields }, "webhook attempt");
  results.add(resultOf(delivery, time, outcome, result));
}
