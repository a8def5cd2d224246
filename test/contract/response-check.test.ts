import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { checkResponse } from "../support/check-response.ts";

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is read as data
type Json = any;

const document: Json = JSON.parse(readFileSync(new URL("../../openapi.json", import.meta.url), "utf8"));

describe("the check of every response", () => {
  const headers = () =>
    new Headers({ "content-type": "application/json; charset=utf-8", "request-id": "req_1", etag: '"1-1"' });
  const customer = document.components.schemas.customer.examples[0];
  const check = (status: number, body: unknown, given = headers()) =>
    checkResponse("GET", "/customers/1?include_deleted=true", { status, headers: given, text: JSON.stringify(body) });
  const errorWith = (code: string) => ({
    error: { code, message: "…", request_id: "req_1", doc_url: "http://127.0.0.1:3000/docs/errores" },
  });

  test("accepts what is documented", () => {
    check(200, customer);
    check(404, errorWith("NOT_FOUND"));
  });

  test.each([
    ["an unknown field", () => check(200, { ...customer, nickname: "Mafe" }), /must NOT have additional properties/],
    ["a missing field", () => check(200, { ...customer, email: undefined }), /email/],
    ["an undocumented status", () => check(418, customer), /status 418/],
    ["a code of another operation", () => check(404, errorWith("SKU_ALREADY_EXISTS")), /code/],
    ["a missing header", () => check(200, customer, new Headers({ "request-id": "req_1" })), /ETag is missing/],
    ["an unknown record in an event", () => checkEvent({ ...customer, nickname: "Mafe" }), /additional/],
  ])("refuses %s", (_what, received, message) => {
    expect(received).toThrow(message);
  });

  function checkEvent(object: object): void {
    const event = { ...document.components.schemas.event.examples[0], data: { object } };
    checkResponse("GET", "/events/1", { status: 200, headers: headers(), text: JSON.stringify(event) });
  }
});
