import { expect, test } from "vitest";
import { formWords } from "../../portal/src/lib/form-words.ts";
import { routesOf } from "../fuzz/routes-of.ts";
import { sharedService } from "../support/fixtures.ts";

const service = sharedService();

/** The names of a schema's fields, at any depth. */
function fieldsOf(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const { properties = {} } = schema as { properties?: object };
  return [...Object.keys(properties), ...Object.values(schema).flatMap(fieldsOf)];
}

test("every field that a form sends is named in words when it is refused", () => {
  const fields = new Set(routesOf(service.app.portalRoutes).flatMap(({ body }) => fieldsOf(body)));
  expect(fields.size).toBeGreaterThan(60);
  const unnamed = [...fields].filter((name) => formWords(`\`lines.0.${name}\` no puede estar vacío.`).includes("«"));
  expect(unnamed).toEqual([]);
});
