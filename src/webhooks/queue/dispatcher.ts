import type { EndpointKey } from "../../engine/deliveries/delivery-signal.ts";
import type { CoreDeps } from "../../engine/deps.ts";
import { newMetrics } from "../../lib/metrics.ts";
import type { SendingEndpoint } from "../endpoints/store.ts";
import type { Network } from "../sending/connection.ts";
import { userAgentOf } from "../sending/delivery-headers.ts";
import type { Sender, SendResult } from "../sending/send.ts";
import { logFields, requestFor, resultOf } from "./attempt.ts";
import { type Claimed, claimDeliveries } from "./claim.ts";
import { type DeliveryMeter, deliveryMeter } from "./delivery-meter.ts";
import { type EndpointQueue, type EndpointQueues, endpointQueues } from "./endpoint-queues.ts";
import { releaseUnsent } from "./record-results.ts";
import { refreshEndpoints, staleQueues } from "./refresh-endpoints.ts";
import { type ResultWriter, resultWriter } from "./result-writer.ts";

/** A delivery that waited longer than this in memory is not sent: its lease must outlive its send. */
const longestWaitMs = 5_000;
const endpointsPerClaim = 200;

/** Takes deliveries from claimed to sending to recorded. It knows nothing of polling. */
export interface Dispatcher {
  readonly queues: Pick<EndpointQueues, "isBusy" | "forgetIdle">;
  /** Something is due at these endpoints. */
  wake(endpoints: readonly EndpointKey[]): void;
  /** Releases the deliveries that wait in memory. */
  giveBack(): Promise<void>;
  /** Starts no more sends, waits for those in flight, and records their results. */
  stop(): Promise<void>;
}

interface Run {
  deps: CoreDeps;
  network: Network;
  userAgent: string;
  queues: EndpointQueues;
  results: ResultWriter;
  meter: DeliveryMeter;
  isStopped: boolean;
  claiming: Promise<void> | undefined;
  onDrained: (() => void) | undefined;
}

/** Claims in batches, sends concurrently, records in batches, and holds no transaction while it sends. */
export function newDispatcher(deps: CoreDeps, network: Network): Dispatcher {
  const queues = endpointQueues();
  const run: Run = {
    deps,
    network,
    userAgent: userAgentOf(deps.config.publicUrl),
    queues,
    results: resultWriter(deps),
    meter: deliveryMeter(deps.metrics ?? newMetrics(), queues),
    isStopped: false,
    claiming: undefined,
    onDrained: undefined,
  };
  return {
    queues,
    wake(endpoints) {
      for (const endpoint of endpoints) queues.signal(endpoint);
      claimMore(run);
    },
    giveBack: () => giveBack(run),
    stop: () => stop(run),
  };
}

/** One claim at a time: whatever falls due meanwhile is claimed together by the next. */
function claimMore(run: Run): void {
  run.claiming ??= claimAndSend(run).finally(() => {
    run.claiming = undefined;
  });
}

/** Claims for every queue that has room and may have something due, until there is none. */
async function claimAndSend(run: Run): Promise<void> {
  const { deps, queues } = run;
  try {
    for (;;) {
      const claims = run.isStopped || !deps.clock.isTrusted() ? [] : queues.planClaims(endpointsPerClaim);
      if (claims.length === 0) return;
      const filled = queues.addClaimed(claims, await claimDeliveries(deps.pool, claims, deps.clock.now()));
      // Endpoints that are known already neither wait for the others to be read nor fail with them.
      for (const queue of filled) startSends(run, queue);
      const stale = staleQueues(filled);
      await refreshEndpoints(deps, run.network, stale).catch(async (error: unknown) => {
        // A queue full of deliveries that cannot be sent would never be claimed for again.
        await giveBack(run, stale);
        throw error;
      });
      for (const queue of filled) startSends(run, queue);
    }
  } catch (error) {
    deps.log.warn({ err: error }, "webhook queue not reachable; looking again shortly");
  }
}

function startSends(run: Run, queue: EndpointQueue): void {
  const { endpoint, sender } = queue;
  while (!run.isStopped && queue.waiting.length > 0 && queue.inFlight < run.queues.cap(queue)) {
    // A send that ended may lead here while the endpoint is still being read; claimAndSend comes back then.
    if (!endpoint || !sender || queue.waiting[0]!.endpointVersion > endpoint.version) return;
    const delivery = queue.waiting.shift()!;
    // It was sent, and its lease ended before its result was written.
    if (run.results.isUnwritten(delivery)) continue;
    if (performance.now() - delivery.claimedAtMs <= longestWaitMs) send(run, queue, endpoint, sender, delivery);
  }
}

function send(run: Run, queue: EndpointQueue, endpoint: SendingEndpoint, sender: Sender, delivery: Claimed): void {
  const at = run.deps.clock.now();
  const request = requestFor(delivery, endpoint, at, run.userAgent);
  if (!request) {
    run.results.add({ delivery, attempt: null, next: { kind: "dropped" } });
    return;
  }
  run.queues.began(queue);
  void sender.send(request).then((result) => {
    run.queues.ended(queue, result.outcome?.delivered === true, result.durationMs);
    record(run, delivery, at, result);
    for (const other of run.queues.waitingInAccount(queue)) startSends(run, other);
    if (run.queues.isWorthClaiming(queue)) claimMore(run);
    if (run.onDrained && run.queues.totals().inFlight === 0) run.onDrained();
  });
}

function record({ deps, meter, results }: Run, delivery: Claimed, at: Date, result: SendResult): void {
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
  results.add(resultOf(delivery, at, outcome, result));
}

async function giveBack({ deps, queues }: Run, from?: readonly EndpointQueue[]): Promise<void> {
  const waiting = queues.takeWaiting(from);
  if (waiting.length > 0) await releaseUnsent(deps.pool, waiting).catch(() => {});
}

async function stop(run: Run): Promise<void> {
  run.isStopped = true;
  await giveBack(run);
  // A claim under way brings deliveries that will not be sent here: they must not wait for their lease to end.
  await run.claiming;
  await giveBack(run);
  if (run.queues.totals().inFlight > 0) await new Promise<void>((resolve) => (run.onDrained = resolve));
  await run.results.stop();
  run.meter.stop();
  run.queues.close();
}
