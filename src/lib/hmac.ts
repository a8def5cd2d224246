import { hash } from "node:crypto";

const blockBytes = 64;

/** A key, padded to a block and combined with the two constants of HMAC. */
interface Pads {
  inner: Buffer;
  outer: Buffer;
}

const padsByKey = new Map<string, Pads>();
const maxKeys = 1000;

/**
 * HMAC-SHA-256 (RFC 2104) by two calls of a plain hash. `createHmac` makes an object of which the collector must free the
 * native part: in a list of 25 records it took more time than reading the key, the limits and the query.
 */
export function hmacSha256(key: string, message: Buffer): Buffer {
  const { inner, outer } = padsOf(key);
  const digest = hash("sha256", Buffer.concat([inner, message]), "buffer");
  return hash("sha256", Buffer.concat([outer, digest]), "buffer");
}

function padsOf(key: string): Pads {
  let pads = padsByKey.get(key);
  if (!pads) {
    const bytes = Buffer.from(key);
    const block = Buffer.alloc(blockBytes);
    (bytes.length > blockBytes ? hash("sha256", bytes, "buffer") : bytes).copy(block);
    pads = { inner: block.map((byte) => byte ^ 0x36) as Buffer, outer: block.map((byte) => byte ^ 0x5c) as Buffer };
    if (padsByKey.size >= maxKeys) padsByKey.clear();
    padsByKey.set(key, pads);
  }
  return pads;
}
