import { expect, test } from "vitest";
import openApi from "../../openapi.json" with { type: "json" };
import { promises } from "../../scripts/promises.ts";
import { errorCatalogue } from "../../src/lib/errors.ts";
import { allRules, isAbout, plain } from "../support/rules.ts";

const rules = await allRules();
const unheld = (names: readonly (readonly string[])[]) =>
  names.filter((words) => !rules.some((rule) => isAbout(rule, words))).map((words) => words.join(" "));

test("every error of the catalogue is named by a test that the listing finds", () => {
  expect(unheld(Object.keys(errorCatalogue).map((code) => [code]))).toEqual([]);
});

test("the listing finds a test for every operation of the API that is not one of a row of equals", () => {
  const operations = Object.entries(openApi.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => [method.toUpperCase(), plain(path)]),
  );
  // Only tests that walk the whole contract call these.
  expect(unheld(operations)).toEqual([
    "GET /exports/products",
    "GET /exports/returns",
    "GET /exports/invoices",
    "GET /exports/inventory-movements",
    "GET /exports/warehouses",
    "GET /exports/cash-sessions",
    "GET /exports/orders",
    "GET /exports/locations",
    "GET /exports/suppliers",
    "GET /exports/purchases",
  ]);
});

test("every promise is held by tests that say so", () => {
  const named = Object.values(promises).flatMap((list) => list.flatMap(({ heldBy }) => heldBy));
  const isThere = ([file, words]: readonly [string, string]) =>
    rules.some(({ path, sentence }) => path === file && sentence.includes(words));
  expect(named.filter((one) => !isThere(one))).toEqual([]);
});

test("it tells one API from another, what a register's own words send, and what a table puts into an address", () => {
  const paths = (...words: string[]) => rules.filter((rule) => isAbout(rule, words)).map(({ path }) => path);
  expect(paths("GET", "/portal/api/sales/:id")).not.toContain("test/api/sales.test.ts");
  expect(paths("GET", "/public/v1/sales/:id")).toContain("test/api/sales.test.ts");
  expect(paths("POST", "/sync/v1/push")).toContain("test/sync/push-sales.test.ts");
  expect(paths("GET", "/portal/api/tables/sales.xlsx")).toContain("test/portal/tables.test.ts");
});

test("it finds a test by endpoint and status, by page, and by what it says", () => {
  const found = (...words: string[]) => rules.filter((rule) => isAbout(rule, words)).map(({ path }) => path);
  expect(found("POST", "/customers", "409")).toContain("test/api/idempotency.test.ts");
  expect(found("/ventas/:id")).toContain("test/portal/sales-pages.test.ts");
  expect(found("every error of the catalogue")).toEqual(["test/docs/tests-of.test.ts"]);
});
