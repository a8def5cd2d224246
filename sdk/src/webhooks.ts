import type { EventObjects } from "./contract.ts";
import { WebhookSignatureError } from "./errors.ts";

/** A delivery. Checking `type` narrows the type of `data.object`. Ignore types you do not know: new ones may be added. */
export type WebhookEvent = {
  [Type in keyof EventObjects]: {
    id: string;
    type: Type;
    created_at: string;
    /** The event's place among those of the account. Tests have none. */
    sequence?: number;
    api_version: string;
    data: { object: EventObjects[Type] };
  };
}[keyof EventObjects];

export interface VerifyOptions {
  /** How far the signature's time may be from the clock; 300 s by default. */
  toleranceSeconds?: number;
  /** The clock, in Unix seconds. */
  nowSeconds?: number;
}

/** The body exactly as received: JSON that was parsed and serialized again may differ. */
export type RawBody = string | Uint8Array | ArrayBuffer;

/**
 * Whether the service signed this body with this secret, recently. During a rotation the service signs with both secrets;
 * you can also pass both, in any order.
 */
export async function verifyWebhook(
  rawBody: RawBody,
  header: string | null | undefined,
  secret: string | readonly string[],
  { toleranceSeconds = 300, nowSeconds = Date.now() / 1000 }: VerifyOptions = {},
): Promise<boolean> {
  const secrets = [secret].flat().filter((one) => one !== "");
  const signature = parseHeader(header ?? "");
  if (!signature || secrets.length === 0) return false;
  // Negated, so that a NaN clock rejects instead of accepting.
  if (!(Math.abs(nowSeconds - Number(signature.t)) <= toleranceSeconds)) return false;
  const { subtle } = await webCrypto();
  const signed = concat(encoder.encode(`${signature.t}.`), bytesOf(rawBody));
  const checks = secrets.map(async (one) => {
    // The complete secret signs, including its prefix, exactly as it was copied.
    const key = await subtle.importKey("raw", encoder.encode(one), { name: "HMAC", hash: "SHA-256" }, false, [
      "verify",
    ]);
    // `verify` takes constant time and every signature is checked, so timing does not reveal which one matched.
    return Promise.all(signature.v1.map((hex) => subtle.verify("HMAC", key, bytesOfHex(hex), signed)));
  });
  return (await Promise.all(checks)).flat().includes(true);
}

/** Parses a delivery without verifying it: verify it first, or use receiveWebhook. */
export function parseWebhook(rawBody: RawBody): WebhookEvent {
  const text = typeof rawBody === "string" ? rawBody : new TextDecoder().decode(rawBody);
  const event = JSON.parse(text) as WebhookEvent;
  if (typeof event?.id !== "string" || typeof event.type !== "string" || typeof event.data?.object !== "object") {
    throw new TypeError("El cuerpo no es un evento de Mostrador.");
  }
  return event;
}

/** Verifies and parses a delivery; throws WebhookSignatureError when the signature is not valid. */
export async function receiveWebhook(
  rawBody: RawBody,
  header: string | null | undefined,
  secret: string | readonly string[],
  options?: VerifyOptions,
): Promise<WebhookEvent> {
  if (await verifyWebhook(rawBody, header, secret, options)) return parseWebhook(rawBody);
  throw new WebhookSignatureError(
    "La firma del webhook no es válida. Revise el secreto, que el cuerpo sea el recibido byte por byte y la hora del servidor.",
  );
}

const encoder = new TextEncoder();

/** Unknown schemes are skipped, so that new ones can be added beside v1. Two timestamps are ambiguous, so invalid. */
function parseHeader(header: string): { t: string; v1: string[] } | undefined {
  const fields = header.split(",").map((field) => {
    const equals = field.indexOf("=");
    return { key: field.slice(0, equals), value: field.slice(equals + 1) };
  });
  const times = fields.filter(({ key }) => key === "t").map(({ value }) => value);
  const v1 = fields.filter(({ key, value }) => key === "v1" && /^[0-9a-f]{64}$/.test(value)).map(({ value }) => value);
  const t = times[0];
  if (times.length !== 1 || t === undefined || !/^(0|[1-9]\d{0,14})$/.test(t) || v1.length === 0) return undefined;
  return { t, v1 };
}

function bytesOf(body: RawBody): Uint8Array {
  if (typeof body === "string") return encoder.encode(body);
  return body instanceof ArrayBuffer ? new Uint8Array(body) : body;
}

function bytesOfHex(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g)!, (pair) => Number.parseInt(pair, 16));
}

function concat(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}

/** Node 18 has Web Crypto in a module; everywhere else it is global. */
export async function webCrypto(): Promise<typeof globalThis.crypto> {
  if (globalThis.crypto) return globalThis.crypto;
  const name = "node:crypto";
  return ((await import(name)) as { webcrypto: typeof globalThis.crypto }).webcrypto;
}
