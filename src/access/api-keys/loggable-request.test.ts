import { expect, test } from "vitest";
import {
  dailyAllowance,
  detailedPerDay,
  linesPerDay,
  queryWithoutSecrets,
  withoutSecrets,
} from "./loggable-request.ts";

const key = "mst_test_0123456789abcdefghijABCDEFGHIJ01234567";

test("of a key only its last four characters are logged, wherever it was sent", () => {
  const headers = withoutSecrets({
    authorization: `Bearer ${key}`,
    "x-forwarded-uri": `/x?k=${key}`,
    cookie: "a=b",
    "x-api-key": "abc",
    "idempotency-key": "pedido-1",
    accept: ["a", "b"],
  });
  expect(headers).toEqual({
    authorization: "Bearer mst_test_…4567",
    "x-forwarded-uri": "/x?k=(oculto)",
    cookie: "(oculto)",
    "x-api-key": "(oculto)",
    "idempotency-key": "pedido-1",
    accept: "a, b",
  });
  expect(withoutSecrets({ authorization: "Basic dXNlcjpwYXNz" })).toEqual({ authorization: "(oculto)" });
});

test("a query keeps its filters and loses its secrets", () => {
  expect(queryWithoutSecrets("/public/v1/sales")).toBeNull();
  expect(queryWithoutSecrets(`/x?limit=5&api_key=${key}&q=${key}&starting_after=abc`)).toBe(
    "limit=5&api_key=(oculto)&q=(oculto)&starting_after=abc",
  );
  expect(queryWithoutSecrets(`/x?q=${"a".repeat(9_000)}`)).toHaveLength(2_000);
});

test("an account's day has its allowance, failures have their own, and the next day begins anew", () => {
  const allowance = dailyAllowance();
  const at = new Date("2026-11-16T12:00:00Z");
  let last = allowance.take("a", at, false);
  for (let i = 1; i < detailedPerDay; i++) last = allowance.take("a", at, false);
  expect(last).toEqual({ line: true, details: true });
  expect(allowance.take("a", at, false)).toEqual({ line: true, details: false });
  expect(allowance.take("a", at, true).details).toBe(true);
  expect(allowance.take("b", at, false).details).toBe(true);
  for (let i = detailedPerDay + 1; i < linesPerDay; i++) last = allowance.take("a", at, false);
  expect(last.line).toBe(true);
  expect(allowance.take("a", at, false).line).toBe(false);
  expect(allowance.take("a", new Date("2026-11-17T00:00:00Z"), false).details).toBe(true);
});
