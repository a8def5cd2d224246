import { expect, test } from "vitest";
import { caps, claimSize, guaranteed, laneCap } from "./lane-cap.ts";

test("a lane alone has its endpoint's cap", () => {
  expect(laneCap({ restOfAccount: 0, restOfProcess: 0 })).toBe(caps.perEndpoint);
});

test("four hanging endpoints of an account leave the fifth its fifth of the account's cap", () => {
  expect(laneCap({ restOfAccount: 4 * caps.perEndpoint, restOfProcess: 4 * caps.perEndpoint })).toBe(
    guaranteed.inAccount,
  );
});

test("a process full of hanging endpoints still gives a new lane its turn", () => {
  expect(laneCap({ restOfAccount: 0, restOfProcess: 10 * caps.perProcess })).toBe(guaranteed.inProcess);
});

test("only a fast lane claims ahead, and never more than it has room for", () => {
  expect(claimSize(32, { inFlight: 0, waiting: [], isFast: false })).toBe(32);
  expect(claimSize(32, { inFlight: 30, waiting: [1, 2, 3], isFast: false })).toBe(0);
  expect(claimSize(32, { inFlight: 32, waiting: [], isFast: true })).toBe(224);
});
