import { expect, test } from "vitest";
import { caps, claimSize, endpointCap, guaranteed } from "./concurrency-caps.ts";

test("an endpoint alone has its full cap", () => {
  expect(endpointCap({ restOfAccount: 0, restOfProcess: 0 })).toBe(caps.perEndpoint);
});

test("four hanging endpoints of an account leave the fifth its fifth of the account's cap", () => {
  expect(endpointCap({ restOfAccount: 4 * caps.perEndpoint, restOfProcess: 4 * caps.perEndpoint })).toBe(
    guaranteed.inAccount,
  );
});

test("a process full of hanging endpoints still sends to another one", () => {
  expect(endpointCap({ restOfAccount: 0, restOfProcess: 10 * caps.perProcess })).toBe(guaranteed.inProcess);
});

test("only for a fast endpoint are deliveries claimed ahead, and never more than it has room for", () => {
  expect(claimSize(32, { inFlight: 0, waiting: [], behind: 0, isFast: false })).toBe(32);
  expect(claimSize(32, { inFlight: 30, waiting: [1, 2, 3], behind: 0, isFast: false })).toBe(0);
  expect(claimSize(32, { inFlight: 32, waiting: [], behind: 0, isFast: true })).toBe(224);
});

test("those that wait behind another of their record leave the room to other records", () => {
  expect(claimSize(32, { inFlight: 1, waiting: [1, 2, 3], behind: 3, isFast: false })).toBe(31);
});
