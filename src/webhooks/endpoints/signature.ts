import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * The Service-Signature header: `t=<unix seconds>,v1=<hex>`, one v1 per secret, the newest first. During a rotation
 * both secrets sign, so that a receiver may switch at any moment of the overlap.
 */
export function signatureHeader(body: string | Uint8Array, secrets: readonly string[], unixSeconds: number): string {
  // An empty key still makes an HMAC, but anybody can forge it: such a header must not be sent.
  if (secrets.length === 0 || secrets.includes("")) throw new RangeError("a delivery needs at least one secret");
  if (!Number.isSafeInteger(unixSeconds) || unixSeconds < 0)
    throw new RangeError("the time must be whole Unix seconds");
  const t = String(unixSeconds);
  return [`t=${t}`, ...secrets.map((secret) => `v1=${hmac(secret, t, body).toString("hex")}`)].join(",");
}

/** Hexadecimal, so that a double click selects all of it; 256 bits, as many as the HMAC can use. */
export function newSecret(randomBytes: (sizeBytes: number) => Uint8Array): string {
  return `whsec_${Buffer.from(randomBytes(32)).toString("hex")}`;
}

/** The receiver's four steps from the service document, for `mostrador receive` and the tests. */
export function verifySignature(
  rawBody: string | Uint8Array,
  header: string | undefined,
  secret: string,
  nowSeconds: number,
  toleranceSeconds = 300,
): boolean {
  const signature = parseHeader(header);
  if (signature === null || secret === "") return false;
  // Written so that NaN is refused.
  if (!(Math.abs(nowSeconds - Number(signature.t)) <= toleranceSeconds)) return false;
  const expected = hmac(secret, signature.t, rawBody);
  // Every value is compared: the time taken must not reveal which one matched.
  return signature.v1.map((value) => timingSafeEqual(Buffer.from(value, "hex"), expected)).includes(true);
}

/** The complete secret signs, prefix included: receivers copy it as shown. */
function hmac(secret: string, t: string, body: string | Uint8Array): Buffer {
  return createHmac("sha256", secret).update(`${t}.`).update(body).digest();
}

/** Unknown schemes (v0, v2 …) are skipped, so that a later one can be sent beside v1. Two times are ambiguous: invalid. */
function parseHeader(header: string | undefined): { t: string; v1: string[] } | null {
  const fields = (header ?? "").split(",").map((field) => {
    const equals = field.indexOf("=");
    return { key: field.slice(0, equals), value: field.slice(equals + 1) };
  });
  const times = fields.filter(({ key }) => key === "t");
  const v1 = fields.filter(({ key, value }) => key === "v1" && /^[0-9a-f]{64}$/.test(value)).map(({ value }) => value);
  const t = times[0]?.value;
  if (times.length !== 1 || t === undefined || !/^(0|[1-9]\d{0,14})$/.test(t) || v1.length === 0) return null;
  return { t, v1 };
}
