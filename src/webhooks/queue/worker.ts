import type { Lane } from "../../engine/deliveries/delivery-signal.ts";
import type { CoreDeps } from "../../engine/deps.ts";
import { newMetrics } from "../../lib/metrics.ts";
import { runEvery } from "../../lib/run-every.ts";
import { secretBox } from "../endpoints/secret-box.ts";
import { signatureHeader } from "../endpoints/signature.ts";
import { loadForSending, type SendingEndpoint, signingSecrets } from "../endpoints/store.ts";
import { type Network, trustedAuthorities } from "../sending/connection.ts";
import { deliveryBody } from "../sending/delivery-body.ts";
import { dnsResolver, parseFixedAddresses } from "../sending/resolve-host.ts";
import { openSender, type Sender, type SendResult } from "../sending/send.ts";
import { type Claimed, claimDeliveries, findDueLanes } from "./claim.ts";
import { deliveryMeter } from "./delivery-meter.ts";
import { type LaneBook, type LaneState, laneBook } from "./lanes.ts";
import { nextStep } from "./next-step.ts";
import { outcomeWriter } from "./outcome-writer.ts";
import { releaseUnsent } from "./record-outcomes.ts";
import { continueResends } from "./resend-period.ts";

/** How often a process looks for what others committed and for retries that fall due. With the mail's look: under 2 queries/s. */
const idlePollMs = 750;
/** While another process keeps writing what is sent here, it looks more often. */
const busyPollMs = 50;
const pauseAfterErrorMs = 2_000;
const busyPolls = 40;
/** Memory of a delivery that waited this long is not trusted any more: its lease must outlive its send. */
const longestWaitMs = 5_000;
const lanesPerClaim = 200;
/** How long a resend lies still that its process or its database left. */
const resendLookMs = 10_000;

export interface WebhookWorker {
  stop(): Promise<void>;
}

/** Sends what is due: claims in batches, sends concurrently, records in batches, holds no transaction while it sends. */
export function startWebhookWorker(deps: CoreDeps, network: Network = ownNetwork(deps)): WebhookWorker {
  const box = secretBox(deps.config.secretKey);
  const book: LaneBook = laneBook();
  const outcomes = outcomeWriter(deps);
  const meter = deliveryMeter(deps.metrics ?? newMetrics(), book);
  const userAgent = `Service-Webhooks/1.0 (+${deps.config.publicUrl}/docs)`;
  let stopped = false;
  let pumping: Promise<void> | undefined;
  let quietPolls = busyPolls;
  let inFlight = 0;
  let onDrained: (() => void) | undefined;

  function wake(lanes: readonly Lane[]): void {
    for (const lane of lanes) book.expect(lane);
    void pump();
  }

  /** Claims for every lane that may have something due and has room, until there is none. One claim at a time: the next is larger. */
  function pump(): Promise<void> {
    pumping ??= claimAndSend().finally(() => {
      pumping = undefined;
    });
    return pumping;
  }

  async function claimAndSend(): Promise<void> {
    try {
      for (;;) {
        const claims = stopped || !deps.clock.isTrusted() ? [] : book.claims(lanesPerClaim);
        if (claims.length === 0) return;
        const claimed = await claimDeliveries(deps.pool, claims, deps.clock.now());
        const lanes = book.take(claims, claimed);
        // Those whose endpoint is known neither wait for the reading of the others nor fail with it.
        for (const lane of lanes) startSends(lane);
        await refreshEndpoints(lanes);
        for (const lane of lanes) startSends(lane);
      }
    } catch (error) {
      deps.log.warn({ err: error }, "webhook queue not reachable; looking again shortly");
    }
  }

  /** Reads the endpoints that are new here, or whose URL or secrets changed since. */
  async function refreshEndpoints(lanes: readonly LaneState[]): Promise<void> {
    const stale = lanes.filter((lane) => lane.waiting.some((one) => one.endpointVersion !== lane.endpoint?.version));
    if (stale.length === 0) return;
    const loaded = await loadForSending(deps.pool, box, stale, (id, error) =>
      deps.log.error(
        { err: error, endpoint_id: id },
        "an endpoint's secret cannot be read: is SECRET_KEY another one?",
      ),
    ).catch(async (error: unknown) => {
      // A lane that is full of what nobody can send would never be looked at again.
      await giveBack(stale);
      throw error;
    });
    for (const lane of stale) {
      const endpoint = loaded.find(({ id }) => id === lane.endpointId);
      if (endpoint?.url !== lane.endpoint?.url) {
        lane.sender?.close();
        lane.sender = endpoint && openSender(network, endpoint.url);
      }
      lane.endpoint = endpoint;
      // Deleted in this instant: what is left of its queue was dropped, or will be by drop-left-behind.ts.
      if (!endpoint) lane.waiting.length = 0;
    }
  }

  function startSends(lane: LaneState): void {
    const { endpoint, sender } = lane;
    while (!stopped && lane.waiting.length > 0 && lane.inFlight < book.cap(lane)) {
      // A neighbour's end may come here while the endpoint is still being read; whoever reads it comes back.
      if (!endpoint || !sender || lane.waiting[0]!.endpointVersion > endpoint.version) return;
      const delivery = lane.waiting.shift()!;
      // It was sent, and its lease ended before the database took the outcome.
      if (outcomes.isUnwritten(delivery)) continue;
      if (performance.now() - delivery.claimedAtMs <= longestWaitMs) attempt(lane, endpoint, sender, delivery);
    }
  }

  function attempt(lane: LaneState, endpoint: SendingEndpoint, sender: Sender, delivery: Claimed): void {
    const at = deps.clock.now();
    const body = delivery.testBody ?? (delivery.eventText === null ? null : deliveryBody(delivery.eventText));
    if (body === null) {
      outcomes.add({ delivery, attempt: null, next: { kind: "dropped" } });
      return;
    }
    const headers = {
      "content-type": "application/json",
      "service-signature": signatureHeader(body, signingSecrets(endpoint, at), Math.floor(at.getTime() / 1000)),
      "service-event-id": delivery.eventId,
      "service-event-type": delivery.eventType,
      "service-delivery-id": delivery.id,
      "user-agent": userAgent,
    };
    inFlight += 1;
    book.began(lane);
    void sender.send({ headers, body }).then((result) => {
      inFlight -= 1;
      book.ended(lane, result.outcome?.delivered === true, result.durationMs);
      record(delivery, at, result);
      for (const neighbour of book.waitingBeside(lane)) startSends(neighbour);
      if (book.isWorthClaiming(lane)) void pump();
      if (inFlight === 0) onDrained?.();
    });
  }

  function record(delivery: Claimed, at: Date, { outcome, durationMs, remoteAddress, error }: SendResult): void {
    const named = {
      request_id: delivery.requestId,
      delivery_id: delivery.id,
      account_id: delivery.accountId,
      endpoint_id: delivery.endpointId,
      event_id: delivery.eventId,
      event_type: delivery.eventType,
      attempt: delivery.attemptsInSeries + 1,
    };
    meter.attempted(outcome, durationMs);
    if (!outcome) {
      deps.log.error({ ...named, err: error }, "a delivery could not be attempted, for a reason of ours");
      void releaseUnsent(deps.pool, [delivery], 1_000).catch(() => {});
      return;
    }
    const failure = outcome.delivered ? null : outcome.failure;
    deps.log.info(
      { ...named, status: outcome.status, failure, ms: durationMs, remote_address: remoteAddress, err: error },
      "webhook attempt",
    );
    // A test is an answer to a question asked just now: it is not asked again for a day.
    const next =
      delivery.isTest && !outcome.delivered
        ? ({ kind: "failed" } as const)
        : nextStep(outcome, delivery.attemptsInSeries + 1, at);
    outcomes.add({
      delivery,
      attempt: {
        at: at.toISOString(),
        duration_ms: durationMs,
        status: outcome.status,
        failure,
        remote_address: remoteAddress,
      },
      next,
    });
  }

  /** What waits in memory goes back: somebody lost the plan, or this process ends or cannot send it. */
  async function giveBack(lanes?: readonly LaneState[]): Promise<void> {
    const waiting = book.giveUpWaiting(lanes);
    if (waiting.length > 0) await releaseUnsent(deps.pool, waiting).catch(() => {});
  }

  /** Returns how long to wait for the next look. */
  async function poll(): Promise<number> {
    try {
      const due = await findDueLanes(deps.pool, deps.clock.now());
      const isNews = due.some((lane) => !book.knows(lane));
      quietPolls = isNews ? 0 : quietPolls + 1;
      book.forgetIdle();
      wake(due);
      return quietPolls < busyPolls ? busyPollMs : idlePollMs;
    } catch (error) {
      deps.log.warn({ err: error }, "webhook queue not reachable; looking again shortly");
      return pauseAfterErrorMs;
    }
  }

  let timer: NodeJS.Timeout | undefined;
  let polling: Promise<void> | undefined;
  function pollNow(): void {
    clearTimeout(timer);
    polling ??= poll().then((waitMs) => {
      polling = undefined;
      if (!stopped) timer = setTimeout(pollNow, waitMs);
    });
  }
  const deaf = [
    deps.deliveries?.listen(wake),
    deps.clock.onShift(pollNow),
    deps.changes?.listen(() => void giveBack()),
  ];
  pollNow();
  const resends = runEvery(
    deps.clock,
    resendLookMs,
    () => continueResends(deps, () => !stopped),
    (error) => deps.log.warn({ err: error }, "interrupted resends not found; looking again shortly"),
  );

  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      for (const off of deaf) off?.();
      await giveBack();
      await resends.stop();
      await polling;
      // A claim that was on its way brings what nobody will send here: it is not left to wait for its lease.
      await pumping;
      await giveBack();
      if (inFlight > 0) await new Promise<void>((resolve) => (onDrained = resolve));
      await outcomes.stop();
      meter.stop();
      book.close();
    },
  };
}

function ownNetwork({ config }: CoreDeps): Network {
  return {
    resolve: dnsResolver(),
    fixed: parseFixedAddresses(config.webhookResolve) ?? new Map(),
    secureContext: trustedAuthorities(config.webhookCaFile),
  };
}
