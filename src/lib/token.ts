import { createHash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const secretLength = 32;
const checksumLength = 6;

/** A credential: prefix, 32 random base62 characters, 6 of CRC-32, so that a typo is detected without a query. */
export function newToken(prefix: string, pick: (below: number) => number = randomInt): string {
  const secret = Array.from({ length: secretLength }, () => alphabet[pick(alphabet.length)]).join("");
  return prefix + secret + checksum(prefix + secret);
}

export function isWellFormedToken(prefix: string, token: string): boolean {
  if (!token.startsWith(prefix) || token.length !== prefix.length + secretLength + checksumLength) return false;
  const body = token.slice(0, -checksumLength);
  return /^[0-9A-Za-z]+$/.test(token.slice(prefix.length)) && token.slice(-checksumLength) === checksum(body);
}

/** Credentials are random and long, so a plain SHA-256 is enough; scrypt on each request would be too expensive. */
export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

function checksum(text: string): string {
  let rest = crc32(text);
  let out = "";
  for (let i = 0; i < checksumLength; i++) {
    out = alphabet[rest % 62]! + out;
    rest = Math.floor(rest / 62);
  }
  return out;
}
