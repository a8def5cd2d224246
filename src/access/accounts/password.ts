import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { concurrencyLimit } from "../../lib/concurrency-limit.ts";

const scryptAsync = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** The limit of the sign-in form: a longer password could be set but never used. */
export const maxPasswordLength = 200;
/** Long enough to make guessing hopeless at the rate the sign-in allows. */
export const minPasswordLength = 10;
export const maxEmailLength = 200;

// OWASP's parameters for scrypt: 64 MB and about 0.2 s per guess.
const cost = { N: 2 ** 16, r: 8, p: 1, maxmem: 128 * 1024 * 1024 };

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt, cost);
  return ["scrypt", cost.N, cost.r, cost.p, salt.toString("base64url"), key.toString("base64url")].join("$");
}

export async function isPassword(password: string, stored: string): Promise<boolean> {
  const [scheme, n, r, p, salt, key] = stored.split("$");
  if (scheme !== "scrypt" || !salt || !key) return false;
  const expected = Buffer.from(key, "base64url");
  const given = await derive(password, Buffer.from(salt, "base64url"), {
    ...cost,
    N: Number(n),
    r: Number(r),
    p: Number(p),
  });
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** In place of a password that was ended: of no password, and checked for as long as any other. Every real one has a salt of its own. */
const noSalt = Buffer.alloc(16).toString("base64url");

export function endedPassword(): string {
  return ["scrypt", cost.N, cost.r, cost.p, noSalt, randomBytes(32).toString("base64url")].join("$");
}

export const isEndedPassword = (stored: string) => stored.split("$")[4] === noSalt;

/**
 * Node's thread pool has four threads, which compression and new database connections need too: many sign-ins at once wait
 * here instead of blocking everything else.
 */
const runHash = concurrencyLimit(2);

function derive(password: string, salt: Buffer, options: typeof cost): Promise<Buffer> {
  return runHash(() => scryptAsync(password.normalize("NFKC"), salt, 32, options));
}
