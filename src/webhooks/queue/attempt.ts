import { type SendingEndpoint, signingSecrets } from "../endpoints/store.ts";
import { deliveryBody, testType } from "../sending/delivery-body.ts";
import { deliveryHeaders } from "../sending/delivery-headers.ts";
import type { Outcome } from "../sending/failure-classes.ts";
import type { SendRequest, SendResult } from "../sending/send.ts";
import type { ClaimedDelivery } from "./claim.ts";
import type { DeliveryResult } from "./delivery-result.ts";
import { nextStep } from "./next-step.ts";

/** When something is sent. */
export interface SendTime {
  /** By the installation's clock, which a test may have moved ahead. */
  at: Date;
  /** By the world's clock, as the signature says it: a receiver compares it with its own. */
  signedAt: Date;
}

/** From claimed to sending: the signed request, or undefined when there is nothing to send. */
export function requestFor(
  delivery: ClaimedDelivery,
  endpoint: SendingEndpoint,
  { at, signedAt }: SendTime,
  userAgent: string,
): SendRequest | undefined {
  const body = delivery.testBody ?? (delivery.eventText === null ? null : deliveryBody(delivery.eventText));
  if (body === null) return undefined;
  const { eventId, eventType, id } = delivery;
  const isExample = delivery.isTest && eventType !== testType;
  const fields = { eventId, eventType, deliveryId: id, userAgent, isExample };
  const signing = { secrets: signingSecrets(endpoint, at), at: signedAt };
  return { headers: { ...endpoint.ownHeaders, ...deliveryHeaders(body, fields, signing) }, body };
}

/** From sending to recorded: the attempt for the history, and what follows for the delivery. */
export function resultOf(
  delivery: ClaimedDelivery,
  { at, signedAt }: SendTime,
  outcome: Outcome,
  { durationMs, remoteAddress }: SendResult,
): DeliveryResult {
  const attempt = {
    at: at.toISOString(),
    duration_ms: durationMs,
    status: outcome.status,
    failure: outcome.delivered ? null : outcome.failure,
    remote_address: remoteAddress,
    ...(signedAt.getTime() !== at.getTime() && { signed_at: signedAt.toISOString() }),
  };
  // The sender of a test waits for its result: it is not retried.
  const isFailedTest = delivery.isTest && !outcome.delivered;
  const next = isFailedTest ? ({ kind: "failed" } as const) : nextStep(outcome, delivery.attemptsInSeries + 1, at);
  return { delivery, attempt, next };
}

export function logFields(delivery: ClaimedDelivery) {
  return {
    request_id: delivery.requestId,
    delivery_id: delivery.id,
    account_id: delivery.accountId,
    endpoint_id: delivery.endpointId,
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    attempt: delivery.attemptsInSeries + 1,
  };
}
