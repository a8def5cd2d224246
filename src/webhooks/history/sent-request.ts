import { sql } from "../../db/sql.ts";
import type { CoreDeps } from "../../engine/deps.ts";
import { secretOverlapMs } from "../endpoints/rotate-secret.ts";
import { secretBox } from "../endpoints/secret-box.ts";
import { signatureHeader } from "../endpoints/signature.ts";
import { loadForSending, signingSecrets } from "../endpoints/store.ts";
import { deliveryBody } from "../sending/delivery-body.ts";
import { findDelivery } from "./delivery-history.ts";

/** A request as the receiver got it. */
export interface SentRequest {
  method: "POST";
  /** Null once the endpoint was deleted. */
  url: string | null;
  headers: Record<string, string>;
  body: string;
  /** False when it was signed with a secret that is gone: the header is left out then. */
  has_signature: boolean;
}

/**
 * What an attempt sent, made again from what is stored: body, time and secrets give the same bytes and the same
 * signature. Undefined when the delivery or its event is gone.
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
  const lane = { accountId, endpointId: delivery.endpoint_id };
  const [endpoint] = await loadForSending(deps.pool, secretBox(deps.config.secretKey), [lane], (endpointId, error) =>
    deps.log.error(
      { err: error, endpoint_id: endpointId },
      "an endpoint's secret cannot be read: is SECRET_KEY another one?",
    ),
  );
  const attempt = delivery.attempts.at(attemptNumber === undefined ? -1 : attemptNumber - 1);
  const at = attempt && new Date(attempt.at);
  const rotatedAt = endpoint?.previous && new Date(endpoint.previous.until.getTime() - secretOverlapMs);
  const isSigned = endpoint && at && (!rotatedAt || at >= rotatedAt);
  const headers = {
    "Content-Type": "application/json",
    ...(isSigned && {
      "Service-Signature": signatureHeader(body, signingSecrets(endpoint, at), Math.floor(at.getTime() / 1000)),
    }),
    "Service-Event-Id": delivery.event_id,
    "Service-Event-Type": delivery.event_type,
    "Service-Delivery-Id": delivery.id,
    "User-Agent": `Service-Webhooks/1.0 (+${deps.config.publicUrl}/docs)`,
  };
  return { method: "POST", url: endpoint?.url ?? null, headers, body, has_signature: Boolean(isSigned) };
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
  const { body, event } = rows[0]!;
  return body ?? (event === null ? undefined : deliveryBody(event));
}
