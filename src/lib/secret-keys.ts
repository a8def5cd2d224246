import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";

/**
 * The installation's SECRET_KEY, and while it is exchanged SECRET_KEY_PREVIOUS too: what is made now is made with the current one, what
 * was made with either is accepted.
 */
export type SecretKeys = string | { readonly current: string; readonly previous: string };

/**
 * Derived keys of what must stay valid when a SECRET_KEY is gone for good: which addresses want no mail, the links in mails that were
 * sent or stand on tickets, and which PINs are taken. They are kept sealed in the database, newest first.
 */
export const lastingPurposes = ["mail suppressions", "unsubscribe links", "cashier pins", "document links"] as const;
export type LastingPurpose = (typeof lastingPurposes)[number];
export type RetiredKeys = Partial<Record<LastingPurpose, readonly Buffer[]>>;

/** Every key with which something of a lasting purpose may have been made, the current one first. */
export function lastingKeys(
  { secretKeys, retiredKeys }: { secretKeys: SecretKeys; retiredKeys: RetiredKeys },
  purpose: LastingPurpose,
): readonly [Buffer, ...Buffer[]] {
  const former = acceptedKeys(secretKeys).slice(1);
  const derived = former.map((key) => derivedKey(key, purpose));
  return [derivedKey(currentKey(secretKeys), purpose), ...derived, ...(retiredKeys[purpose] ?? [])];
}

export function currentKey(keys: SecretKeys): string {
  return typeof keys === "string" ? keys : keys.current;
}

/** The current one first. */
export function acceptedKeys(keys: SecretKeys): readonly string[] {
  return typeof keys === "string" ? [keys] : [keys.current, keys.previous];
}

/** The key of one purpose: what is learned of it tells nothing of the others. */
export function derivedKey(secretKey: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", secretKey, "", `mostrador ${purpose}`, 32));
}

/** Whether a MAC was made with one of the keys. `macOf` makes it with one. */
export function isMacOfAny<Key extends string | Buffer>(
  mac: Buffer,
  keys: readonly Key[],
  macOf: (key: Key) => Buffer,
): boolean {
  return keys.some((key) => {
    const expected = macOf(key);
    return expected.length === mac.length && timingSafeEqual(expected, mac);
  });
}

export function hmac(key: string | Buffer, ...parts: readonly (string | Buffer)[]): Buffer {
  const digest = createHmac("sha256", key);
  for (const part of parts) digest.update(part);
  return digest.digest();
}
