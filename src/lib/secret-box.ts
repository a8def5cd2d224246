import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

const ivBytes = 12;
const tagBytes = 16;
/** The first byte of every box, so that another cipher can follow one day without guessing. */
const version = 1;

/**
 * Encrypts a secret that must be read again (AES-256-GCM). Each purpose has a key of its own, derived from the
 * installation's, and is authenticated with the text: a box moved to another column or another account does not open.
 */
export function seal(secretKey: string, purpose: string, plaintext: string): Buffer {
  return sealWith(keyFor(secretKey, purpose), plaintext);
}

/** Throws when the box was made with another key or for another purpose, or was altered. */
export function open(secretKey: string, purpose: string, box: Buffer): string {
  return openWith(keyFor(secretKey, purpose), box);
}

/** For whoever derives a key once and seals much with it: the box opens only for what it was bound to. */
export function sealWith(key: Buffer, plaintext: string, boundTo = ""): Buffer {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(boundTo));
  const text = Buffer.concat([cipher.update(plaintext, "utf8"), cipher.final()]);
  return Buffer.concat([Buffer.of(version), iv, cipher.getAuthTag(), text]);
}

export function openWith(key: Buffer, box: Buffer, boundTo = ""): string {
  if (box[0] !== version || box.length < 1 + ivBytes + tagBytes) throw new Error("Not a box of this version");
  const iv = box.subarray(1, 1 + ivBytes);
  const tag = box.subarray(1 + ivBytes, 1 + ivBytes + tagBytes);
  const decipher = createDecipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(boundTo)).setAuthTag(tag);
  return Buffer.concat([decipher.update(box.subarray(1 + ivBytes + tagBytes)), decipher.final()]).toString("utf8");
}

function keyFor(secretKey: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", secretKey, "mostrador secret box", purpose, 32));
}
