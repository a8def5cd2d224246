import { createHash } from "node:crypto";
import type { MostradorEvent } from "../../sdk/src/index.ts";
import { apiVersion } from "../webhooks/sending/delivery-body.ts";
import { deliveryHeaders, userAgentName } from "../webhooks/sending/delivery-headers.ts";
import { UsageError } from "./command.ts";

export interface Target {
  url: string;
  secret: string;
}

/** The result of one attempt: the receiver's status, or why there was none. */
export type Forwarded = { status: number; ms: number } | { failure: string; ms: number };

/** Service document: a receiver answers within ten seconds. */
const deadlineMs = 10_000;

/** Posts an event as the service would deliver it, signed with a local secret at the time of this attempt. */
export async function forward(event: MostradorEvent, { url, secret }: Target): Promise<Forwarded> {
  const { id, type, created_at, sequence, data } = event;
  const body = JSON.stringify({ id, type, created_at, sequence, api_version: apiVersion, data });
  const userAgent = `${userAgentName} (mostrador listen)`;
  const fields = { eventId: id, eventType: type, deliveryId: deliveryId(id, url), userAgent, isExample: false };
  const startedAt = performance.now();
  const ms = () => Math.round(performance.now() - startedAt);
  try {
    const response = await fetch(url, {
      method: "POST",
      redirect: "manual",
      signal: AbortSignal.timeout(deadlineMs),
      headers: deliveryHeaders(body, fields, { secrets: [secret], at: new Date() }),
      body,
    });
    // As with a real delivery, only the status matters.
    response.body?.cancel().catch(() => {});
    return { status: response.status, ms: ms() };
  } catch (error) {
    const { name, message, cause } = error as Error & { cause?: { code?: string; message?: string } };
    const failure = name === "TimeoutError" ? "sin respuesta en 10 s" : (cause?.code ?? cause?.message ?? message);
    return { failure, ms: ms() };
  }
}

/** `--forward-to`: an http(s) URL; http is assumed without a scheme. */
export function readForwardTo(text: unknown): string | undefined {
  if (text === undefined) return undefined;
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(String(text)) ? String(text) : `http://${text}`;
  const { protocol, username, password } = URL.parse(url) ?? {};
  if ((protocol === "http:" || protocol === "https:") && !username && !password) return url;
  throw new UsageError(
    `--forward-to ${text} no es una dirección http o https. Escriba por ejemplo http://127.0.0.1:4242/webhooks`,
  );
}

export function isDelivered(result: Forwarded): boolean {
  return "status" in result && result.status >= 200 && result.status < 300;
}

/** The same on every attempt and after a restart, like a real delivery's id. */
function deliveryId(eventId: string, url: string): string {
  const hex = createHash("sha256").update(`${eventId} ${url}`).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
