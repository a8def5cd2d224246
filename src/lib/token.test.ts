import fc from "fast-check";
import { expect, test } from "vitest";
import { hashToken, isWellFormedToken, newToken } from "./token.ts";

const prefix = fc.constantFrom("mst_test_", "mst_live_", "whsec_");
const character = fc.integer({ min: 0, max: 0xd7ff }).map((code) => String.fromCodePoint(code));
const picks = fc.array(fc.nat(61), { minLength: 32, maxLength: 32 });
const token = fc.tuple(prefix, picks).map(([one, picked]) => {
  const left = [...picked];
  return { prefix: one, text: newToken(one, () => left.pop()!) };
});

test("a token is its prefix and 38 letters and digits, and is well formed under that prefix only", () => {
  fc.assert(
    fc.property(token, ({ prefix: own, text }) => {
      expect(text.slice(0, own.length)).toBe(own);
      expect(text.slice(own.length)).toMatch(/^[0-9A-Za-z]{38}$/);
      for (const one of ["mst_test_", "mst_live_", "whsec_"]) expect(isWellFormedToken(one, text)).toBe(one === own);
    }),
  );
});

test("a token with any one character changed is not well formed", () => {
  fc.assert(
    fc.property(token, fc.nat(), character, (made, where, other) => {
      const at = where % made.text.length;
      const changed = made.text.slice(0, at) + other + made.text.slice(at + 1);
      fc.pre(changed !== made.text);
      expect(isWellFormedToken(made.prefix, changed)).toBe(false);
    }),
    { numRuns: 1000 },
  );
});

test("a token with a character more or less, or with spaces around it, is not well formed", () => {
  fc.assert(
    fc.property(token, fc.nat(), ({ prefix: own, text }, where) => {
      const at = where % text.length;
      expect(isWellFormedToken(own, text.slice(0, at) + text.slice(at + 1))).toBe(false);
      for (const extra of ["0", " ", "\n"]) {
        expect(isWellFormedToken(own, text.slice(0, at) + extra + text.slice(at))).toBe(false);
        expect(isWellFormedToken(own, text + extra)).toBe(false);
      }
    }),
  );
});

test("the secret of one environment is not well formed in the other", () => {
  fc.assert(
    fc.property(token, ({ text }) => {
      const moved = text.includes("test") ? text.replace("test", "live") : text.replace("live", "test");
      fc.pre(moved !== text);
      expect(isWellFormedToken(moved.slice(0, 9), moved)).toBe(false);
    }),
  );
});

test("tokens are random, and so are their hashes", () => {
  const made = Array.from({ length: 1000 }, () => newToken("mst_test_"));
  expect(new Set(made).size).toBe(1000);
  expect(new Set(made.map((one) => hashToken(one).toString("hex"))).size).toBe(1000);
  const used = new Set(made.flatMap((one) => one.slice(9, 41).split("")));
  expect(used.size).toBe(62);
});
