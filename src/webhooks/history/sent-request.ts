import { oneRow } from "../../db/read.ts";
import { sql } from "../../db/sql.ts";
import type { CoreDeps } from "../../engine/deps.ts";
import { secretOverlapMs } from "../endpoints/rotate-secret.ts";
import { secretBox } from "../endpoints/secret-box.ts";
import { loadForSending, type SendingEndpoint, signingSecrets } from "../endpoints/store.ts";
import { deliveryBody, testType } from "../sending/delivery-body.ts";
import { deliveryHeaders, type Signing, userAgentOf } from "../sending/delivery-headers.ts";
import { type Attempt, findDelivery } from "./delivery-history.ts";

/** A request as the receiver got it. */
export interface SentRequest {
  method: "POST";
  /** Null once the endpoint was deleted. */
  url: string | null;
  headers: Record<string, string>;
  body: string;
  /** False when the secret that signed it is gone: the header is left out then. */
  has_signature: boolean;
}

/**
 * Rebuilds what an attempt sent: the stored body, time and secrets give the same bytes and the same signature.
 * Undefined when the delivery or its event is gone.
 */
export async function readSentRequest(
  deps: CoreDeps,
  accountId: string,
  id: string,
  attemptNumber?: number,
): Promise<SentRequest | undefined> {
  const delivery = await findDelivery(deps.pool, accountId, id);
  if (!delivery) return undefined;
  const body = await readBody(deps, accountId, delivery);
  if (body === undefined) return undefined;
  const key = { accountId, endpointId: delivery.endpoint_id };
  const [endpoint] = await loadForSending(deps.pool, secretBox(deps.config.secretKeys), [key], (endpointId, error) =>
    deps.log.error(
      { err: error, endpoint_id: endpointId },
      "an endpoint's secret cannot be read: has SECRET_KEY changed?",
    ),
  );
  const attempt = delivery.attempts.at(attemptNumber === undefined ? -1 : attemptNumber - 1);
  const signing = endpoint && attempt && signingOf(endpoint, attempt);
  const { event_id: eventId, event_type: eventType } = delivery;
  const isExample = delivery.is_test && eventType !== testType;
  const userAgent = userAgentOf(deps.config.publicUrl);
  const fields = { eventId, eventType, deliveryId: delivery.id, userAgent, isExample };
  const hidden = Object.keys(endpoint?.ownHeaders ?? {}).map((name) => [name, hiddenValue]);
  const headers = { ...Object.fromEntries(hidden), ...deliveryHeaders(body, fields, signing) };
  return { method: "POST", url: endpoint?.url ?? null, headers, body, has_signature: signing !== undefined };
}

/** In place of the value of an endpoint's own header, which is a secret. */
const hiddenValue = "(oculto)";

/** Undefined for an attempt before the last rotation: the secrets that signed it may be gone. */
function signingOf(endpoint: SendingEndpoint, attempt: Attempt): Signing | undefined {
  const at = new Date(attempt.at);
  const signedAt = new Date(attempt.signed_at ?? attempt.at);
  const rotatedAt = endpoint.previous && new Date(endpoint.previous.until.getTime() - secretOverlapMs);
  return rotatedAt && at < rotatedAt ? undefined : { secrets: signingSecrets(endpoint, at), at: signedAt };
}

async function readBody(
  { pool }: CoreDeps,
  accountId: string,
  { id, event_id, created_at }: { id: string; event_id: string; created_at: Date },
): Promise<string | undefined> {
  const { rows } = await pool.query<{ body: string | null; event: string | null }>(sql`
    select coalesce(
        (select body from webhook_queue where account_id = ${accountId} and id = ${id}),
        (select body from webhook_deliveries where account_id = ${accountId} and created_at = ${created_at} and id = ${id})) as body,
      (select body from events where account_id = ${accountId} and created_at = ${created_at} and id = ${event_id}) as event`);
  const { body, event } = oneRow(rows);
  return body ?? (event === null ? undefined : deliveryBody(event));
}
