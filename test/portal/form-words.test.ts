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

test.each([
  ["`name` debe ser texto.", "Escriba el nombre."],
  ["`last_name` no puede estar vacío. Corrija `last_name` y repita la solicitud.", "Escriba el apellido."],
  ["`name` debe tener al menos un carácter que se vea. Escríbalo de nuevo.", "Escriba el nombre."],
  ["`email` debe ser un correo electrónico.", "Escriba un correo como nombre@dominio.co."],
  ["`name` admite como máximo 120 caracteres.", "El nombre admite como máximo 120 caracteres."],
])("%s reads as %s in a form", (message, words) => {
  expect(formWords(message)).toBe(words);
});
