import type { CoreDeps } from "../../engine/deps.ts";
import { runEvery } from "../../lib/run-every.ts";
import { type Network, trustedAuthorities } from "../sending/connection.ts";
import { egressProxy } from "../sending/egress-proxy.ts";
import { dnsResolver, parseFixedAddresses } from "../sending/resolve-host.ts";
import { type Dispatcher, giveBack, newDispatcher, stopDispatcher, takeHanded, wake } from "./dispatcher.ts";
import { dueLook } from "./due-endpoints.ts";
import { forgetIdle, hasMore, isBusy, roomsOf } from "./endpoint-queues.ts";
import { continueResends } from "./resend-period.ts";
import { tellEveryMs, tellOfEndpoints } from "./tell-of-endpoints.ts";

/** How late a process notices other processes' deliveries and due retries. With the mail worker's poll: under 2 queries/s. */
const idlePollMs = 850;
/** While polls find endpoints that another process writes for, they follow each other faster. */
const busyPollMs = 50;
const busyPolls = 40;
const pauseAfterErrorMs = 2_000;
/** A look takes longer the more endpoints have something waiting; it may take a tenth of the time. */
const restPerLook = 9;
/** How long a resend rests after its process ended or lost its database. */
const resendLookMs = 10_000;

export interface WebhookWorker {
  stop(): Promise<void>;
}

/** Sends the deliveries that are due. Any number of workers may run, in any number of processes. */
export function startWebhookWorker(deps: CoreDeps, network: Network = ownNetwork(deps)): WebhookWorker {
  const dispatcher = newDispatcher(deps, network);
  const polling = startPolling(deps, dispatcher);
  const unsubscribe = [
    deps.deliveries?.listen({
      wake: (endpoints) => wake(dispatcher, endpoints),
      roomOf: (accountId) =>
        dispatcher.isStopped || !deps.clock.isTrusted() ? [] : roomsOf(dispatcher.queues, accountId),
      take: (deliveries) => void takeHanded(dispatcher, deliveries),
    }),
    deps.clock.onShift(polling.pollNow),
    // An account may have lost its plan.
    deps.changes?.listen(() => void giveBack(dispatcher)),
  ];
  let stopped = false;
  const resends = runEvery(
    deps.clock,
    resendLookMs,
    () => continueResends(deps, () => !stopped),
    (error) => deps.log.warn({ err: error }, "interrupted resends not found; looking again shortly"),
  );
  const telling = runEvery(
    deps.clock,
    tellEveryMs,
    () => tellOfEndpoints(deps, () => !stopped),
    (error) => deps.log.warn({ err: error }, "what happened to endpoints not read; looking again shortly"),
  );
  return {
    async stop() {
      stopped = true;
      for (const off of unsubscribe) off?.();
      await Promise.all([stopDispatcher(dispatcher), resends.stop(), telling.stop(), polling.stop()]);
    },
  };
}

/** Wakes the dispatcher for endpoints with something due: retries, and what other processes committed. */
function startPolling({ pool, clock, log }: CoreDeps, dispatcher: Dispatcher) {
  const look = dueLook(pool);
  let stopped = false;
  let quietPolls = busyPolls;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;

  /** Returns how long to wait for the next poll. */
  async function poll(): Promise<number> {
    const started = performance.now();
    try {
      const due = await look(clock.now(), (endpoint) => hasMore(dispatcher.queues, endpoint));
      const restMs = (performance.now() - started) * restPerLook;
      const isNews = due.some((endpoint) => !isBusy(dispatcher.queues, endpoint));
      quietPolls = isNews ? 0 : quietPolls + 1;
      forgetIdle(dispatcher.queues);
      wake(dispatcher, due);
      return Math.max(restMs, quietPolls < busyPolls ? busyPollMs : idlePollMs);
    } catch (error) {
      log.warn({ err: error }, "webhook queue not reachable; looking again shortly");
      return pauseAfterErrorMs;
    }
  }

  function pollNow(): void {
    clearTimeout(timer);
    running ??= poll().then((waitMs) => {
      running = undefined;
      if (!stopped) timer = setTimeout(pollNow, waitMs);
    });
  }
  pollNow();
  return {
    pollNow,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

function ownNetwork({ config }: CoreDeps): Network {
  return {
    resolve: dnsResolver(),
    fixed: parseFixedAddresses(config.webhookResolve) ?? new Map(),
    secureContext: trustedAuthorities(config.webhookCaFile),
    proxy: egressProxy(config.webhookProxy),
  };
}
