import { Secret } from "otpauth";
import { expect, test } from "vitest";
import { newTotpSecret, stepOfCode, totpCode, totpUri } from "./totp.ts";

/** RFC 6238, appendix B: the rows of SHA-1. */
const secret = Secret.fromLatin1("12345678901234567890").base32;
const vectors = [
  [59, "94287082"],
  [1111111109, "07081804"],
  [1111111111, "14050471"],
  [1234567890, "89005924"],
  [2000000000, "69279037"],
  [20000000000, "65353130"],
] as const;

test.each(vectors)("at %i s the code is %s, as RFC 6238 says", (seconds, code) => {
  expect(totpCode(secret, new Date(seconds * 1000), 8)).toBe(code);
});

test.each(vectors)(
  "at %i s the last six digits of %s are taken, 30 s early and late too, and no further",
  (seconds, code) => {
    const six = code.slice(2);
    const step = Math.floor(seconds / 30);
    const at = (offset: number) => new Date((seconds + offset) * 1000);
    expect([-30, 0, 30].map((offset) => stepOfCode(secret, six, at(offset)))).toEqual([step, step, step]);
    expect([-90, -60, 60, 90].map((offset) => stepOfCode(secret, six, at(offset)))).toEqual(Array(4).fill(undefined));
  },
);

test("a new secret has 160 bits, and its address names the business's person and who asks", () => {
  const made = newTotpSecret();
  expect(made).toMatch(/^[A-Z2-7]{32}$/);
  const uri = new URL(totpUri(made, "ana@example.com", "Mostrador"));
  expect(uri.protocol).toBe("otpauth:");
  expect(Object.fromEntries(uri.searchParams)).toMatchObject({ issuer: "Mostrador", secret: made, digits: "6" });
});
