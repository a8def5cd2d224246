import { type Granted, type Right, rightsOf } from "../src/business/counter/rights.ts";

/** A cashier as she travels down the feed. */
export interface Cashier extends Granted {
  id: string;
  name: string;
  /** pbkdf2-sha256$iterations$salt$key, both in base64url. */
  pin_hash: string;
}

/** That an act may be done: by whoever stands at the register, or because `by` allowed this one on the spot. */
export interface Permit {
  right: Right;
  by: Cashier | undefined;
}

/** A business without cashiers lets whoever stands at the register do everything. */
export function may(cashier: Cashier | undefined, right: Right): boolean {
  return cashier === undefined || rightsOf(cashier).includes(right);
}

/** Four digits are few: the work of each attempt, about 0.1 s, is what slows down whoever has the hash and guesses. */
export async function isPin(pin: string, hash: string): Promise<boolean> {
  const [scheme, iterations, salt, key] = hash.split("$");
  if (scheme !== "pbkdf2-sha256" || !key) return false;
  const derived = await derivePin(pin, fromBase64Url(salt!), Number(iterations));
  const expected = fromBase64Url(key);
  return derived.length === expected.length && derived.every((byte, i) => byte === expected[i]);
}

export async function derivePin(pin: string, salt: Uint8Array<ArrayBuffer>, iterations: number): Promise<Uint8Array> {
  const material = await crypto.subtle.importKey("raw", new TextEncoder().encode(pin), "PBKDF2", false, ["deriveBits"]);
  const algorithm = { name: "PBKDF2", hash: "SHA-256", salt, iterations };
  return new Uint8Array(await crypto.subtle.deriveBits(algorithm, material, 256));
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
