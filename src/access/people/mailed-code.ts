import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { minute } from "../../lib/clock.ts";
import { ApiError } from "../../lib/errors.ts";
import { codeLifeMinutes } from "../../mail/mail-kinds.ts";

export const maxCodeTries = 5;

type Purpose =
  | "confirmation codes"
  | "confirmation codes of new addresses"
  | "password resets"
  | "sign-in codes"
  | "sign-ups"
  | "lost second steps";

/**
 * The six-digit code for an id. It is derived from the id and a key that is not in the database: the tables reveal no
 * code, and a mail can be sent again without storing its code.
 */
export function mailedCode(secretKey: string, purpose: Purpose, id: string): string {
  const key = Buffer.from(hkdfSync("sha256", secretKey, "", `mostrador ${purpose}`, 32));
  const digest = createHmac("sha256", key).update(id).digest();
  return String(digest.readUIntBE(0, 6) % 1_000_000).padStart(6, "0");
}

export function codeExpiry(now: Date): Date {
  return new Date(now.getTime() + codeLifeMinutes * minute);
}

/** `tries` includes the one that failed. */
export function incorrectCode(param: string, tries: number): ApiError {
  return new ApiError("CODE_INCORRECT", { param, extra: { attempts_left: maxCodeTries - tries } });
}

export function tooManyCodes(until: Date, now: Date): ApiError {
  const seconds = Math.ceil((until.getTime() - now.getTime()) / 1000);
  return new ApiError("TOO_MANY_CODES", { headers: { "retry-after": String(Math.max(1, seconds)) } });
}

export function isSameCode(given: string, expected: string): boolean {
  return given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected));
}
