import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";

export const codeLifeMinutes = 10;
export const maxCodeTries = 5;

type Purpose = "confirmation codes" | "confirmation codes of new addresses" | "password resets";

/**
 * The six digits that belong to an id. They follow from it and a key that is not in the database: whoever reads the tables
 * learns nothing, and the mail of a code can be repeated without keeping the code.
 */
export function mailedCode(secretKey: string, purpose: Purpose, id: string): string {
  const key = Buffer.from(hkdfSync("sha256", secretKey, "", `mostrador ${purpose}`, 32));
  const digest = createHmac("sha256", key).update(id).digest();
  return String(digest.readUIntBE(0, 6) % 1_000_000).padStart(6, "0");
}

export function isSameCode(given: string, expected: string): boolean {
  return given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected));
}
