import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { isGuessable } from "./guessable-key.ts";

test.each([
  "k".repeat(64),
  "0123456789abcdef".repeat(4),
  "fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210",
  "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
  "correct horse battery staple correct horse battery staple 2026",
  "CorrectHorseBatteryStapleMesaCieloPuertaVerde1984Montanas",
  "una-frase-larga-que-me-gusta-mucho-y-que-nadie-sabe-2026",
  "$(openssl rand -hex 32)$(openssl rand -hex 32) R4nd0m-X9",
  "mostrador-Xk29dLq0-Zp7VtR3s-Wm8BnC1y-Hf6GjT5u-Qe4DaS2",
  "aB3dE5gH7jK9".repeat(5),
  // 16 random bytes in hexadecimal, 31 in Base64: too short.
  "9f86d081884c7d659a2feaa0c55ad015",
  "n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCg",
])("%s is one that somebody may have thought of", (key) => expect(isGuessable(key)).toBe(true));

test.each(["hex", "base64", "base64url"] as const)("no key of 32 or 48 random bytes in %s is", (encoding) => {
  for (let i = 0; i < 5_000; i++) {
    // As good as random, and the same in each run.
    const key = createHash("sha384").update(String(i)).digest();
    for (const bytes of [key.subarray(0, 32), key]) {
      const text = bytes.toString(encoding);
      expect(isGuessable(text), text).toBe(false);
    }
  }
});
