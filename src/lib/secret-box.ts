import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

const ivBytes = 12;
const tagBytes = 16;
/** The first byte of every box, so that the cipher can change later. */
const version = 1;

/**
 * Encrypts a secret that must be decrypted later (AES-256-GCM). Each purpose has its own key, derived from the
 * installation's: a box moved to another column or another account does not open.
 */
export function seal(secretKey: string, purpose: string, plaintext: string): Buffer {
  return sealWith(keyFor(secretKey, purpose), plaintext);
}

/** Throws if the box was made with another key or for another purpose, or was altered. */
export function open(secretKey: string, purpose: string, box: Buffer): string {
  return openWith(keyFor(secretKey, purpose), box);
}

/** For callers that derive a key once and seal many secrets: the box opens only with the same `boundTo`. */
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
