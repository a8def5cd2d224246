import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { acceptedKeys, currentKey, type SecretKeys } from "./secret-keys.ts";

const ivBytes = 12;
const tagBytes = 16;
const keyIdBytes = 4;
/** The first byte of every box, so that the cipher can change later. */
const version = 1;

/** A key of one purpose, with the name under which its boxes say that they are its. */
export interface BoxKey {
  id: Buffer;
  key: Buffer;
}

/**
 * Encrypts a secret that must be decrypted later (AES-256-GCM). Each purpose has its own key, derived from the
 * installation's: a box moved to another column or another account does not open.
 */
export function seal(keys: SecretKeys, purpose: string, plaintext: string): Buffer {
  return sealWith(keyFor(currentKey(keys), purpose), plaintext);
}

/** Throws if the box was made with another key or for another purpose, or was altered. */
export function open(keys: SecretKeys, purpose: string, box: Buffer): string {
  return openWith(
    acceptedKeys(keys).map((key) => keyFor(key, purpose)),
    box,
  );
}

/**
 * For callers that derive a key once and seal many secrets: the box opens only with the same `boundTo`. The nonce begins with the
 * key's id and goes on at random, so that a box tells whose it is and processes of before open it as theirs.
 */
export function sealWith({ id, key }: BoxKey, plaintext: string, boundTo = ""): Buffer {
  const iv = Buffer.concat([id, randomBytes(ivBytes - keyIdBytes)]);
  const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(boundTo));
  const text = Buffer.concat([cipher.update(plaintext, "utf8"), cipher.final()]);
  return Buffer.concat([Buffer.of(version), iv, cipher.getAuthTag(), text]);
}

/** Boxes of before have a nonce that is random from its first byte: they are tried with each key. */
export function openWith(keys: readonly BoxKey[], box: Buffer, boundTo = ""): string {
  if (box[0] !== version || box.length < 1 + ivBytes + tagBytes) throw new Error("Not a box of this version");
  const named = keys.filter(({ id }) => id.equals(keyIdIn(box)));
  const inTurn = [...named, ...keys.filter((key) => !named.includes(key))];
  for (const [i, { key }] of inTurn.entries()) {
    try {
      return openBox(key, box, boundTo);
    } catch (error) {
      if (i === inTurn.length - 1) throw error;
    }
  }
  throw new Error("No key to open a box with");
}

function openBox(key: Buffer, box: Buffer, boundTo: string): string {
  const iv = box.subarray(1, 1 + ivBytes);
  const tag = box.subarray(1 + ivBytes, 1 + ivBytes + tagBytes);
  const decipher = createDecipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(boundTo)).setAuthTag(tag);
  return Buffer.concat([decipher.update(box.subarray(1 + ivBytes + tagBytes)), decipher.final()]).toString("utf8");
}

/** The id of a key in its boxes: four bytes that tell nothing of it. */
export function keyIdOf(secretKey: string): Buffer {
  return Buffer.from(hkdfSync("sha256", secretKey, "mostrador secret box", "key id", keyIdBytes));
}

export function keyIdIn(box: Buffer): Buffer {
  return box.subarray(1, 1 + keyIdBytes);
}

function keyFor(secretKey: string, purpose: string): BoxKey {
  return {
    id: keyIdOf(secretKey),
    key: Buffer.from(hkdfSync("sha256", secretKey, "mostrador secret box", purpose, 32)),
  };
}
