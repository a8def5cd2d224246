import { expect } from "vitest";
import { type ErrorCode, errorCatalogue } from "../../src/lib/errors.ts";
import type { Answer } from "./client.ts";

/** Expects this error with the catalogue's status; `details` are further properties of its body. */
export function expectError(answer: Pick<Answer, "status" | "body">, code: ErrorCode, details: object = {}): void {
  expect(answer.body).toMatchObject({ error: { code, ...details } });
  expect(answer.status).toBe(errorCatalogue[code].status);
}
