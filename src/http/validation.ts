import { Ajv, type ErrorObject } from "ajv";
import type { FastifyRequest, FastifySchemaCompiler } from "fastify";
import type { TSchema } from "typebox";
import { type FieldError, validationError } from "../lib/errors.ts";
import { uuidPattern } from "../lib/ids.ts";
import { isStorableText } from "../lib/json.ts";

/** Bodies are never coerced; query strings are text, so theirs must be. */
const strict = newAjv(false);
const coercing = newAjv(true);

export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) =>
  (httpPart === "querystring" ? coercing : strict).compile(schema);

function newAjv(coerceTypes: boolean): Ajv {
  const ajv = new Ajv({
    coerceTypes,
    useDefaults: true,
    removeAdditional: false,
    allErrors: true,
    verbose: true,
    strict: true,
    allowUnionTypes: true,
  });
  addFormats(ajv);
  // Decimal places of the shortest text, which is what the client wrote; multipleOf would fail on 0.1 × 3.
  ajv.addKeyword({
    keyword: "x-max-decimals",
    type: "number",
    schemaType: "number",
    validate: (places: number, value: number) =>
      (String(value).split(".")[1]?.length ?? 0) <= places && !String(value).includes("e-"),
  });
  for (const keyword of ["x-hints"]) ajv.addKeyword({ keyword });
  return ajv;
}

export function addFormats(ajv: Ajv): void {
  ajv.addFormat("uuid", new RegExp(uuidPattern));
  ajv.addFormat("date-time", isInstant);
  ajv.addFormat("email", /^[^\s@<>,;]+@[^\s@<>,;.]+(\.[^\s@<>,;.]+)+$/);
  ajv.addFormat("uri", (text) => /^https?:\/\//i.test(text) && URL.canParse(text));
}

const instant = /^(\d{4})-(\d\d)-(\d\d)[Tt]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?([Zz]|[+-](0\d|1[0-4]):[0-5]\d)$/;

/** ISO 8601 with a zone: without one, an hour could mean two different instants. */
function isInstant(text: string): boolean {
  const match = instant.exec(text);
  if (!match || match[1] === "0000") return false;
  const [, year, month, dayOfMonth] = match.map(Number);
  return (
    month! >= 1 &&
    month! <= 12 &&
    dayOfMonth! >= 1 &&
    dayOfMonth! <= new Date(Date.UTC(2000 + (year! % 400), month!, 0)).getUTCDate()
  );
}

/** The database keeps neither NUL nor half a surrogate pair: refused here for queries, by the body parser for bodies. */
export function checkQueryText(request: FastifyRequest): void {
  for (const [name, value] of Object.entries(request.query as Record<string, unknown>)) {
    const texts = [name, ...(Array.isArray(value) ? value : [value])];
    if (!texts.every((text) => typeof text !== "string" || isStorableText(text))) {
      throw validationError([
        {
          param: name,
          message: `\`${name}\` contiene caracteres que no se pueden guardar (NUL o sustitutos sueltos). Quítelos.`,
        },
      ]);
    }
  }
}

/** What Ajv found, in Spanish, each with the field it is about. */
export function fieldErrors(errors: readonly ErrorObject[], where: string): FieldError[] {
  const seen = new Set<string>();
  return errors.flatMap((error) => {
    const param = paramOf(error, where);
    if (seen.has(param)) return [];
    seen.add(param);
    return [{ param, message: messageOf(error, param) }];
  });
}

function paramOf(error: ErrorObject, where: string): string {
  const path = error.instancePath
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  const named = error.params.missingProperty ?? error.params.additionalProperty;
  if (typeof named === "string") path.push(named);
  return path.length === 0 ? where : path.join(".");
}

const typeNames: Record<string, string> = {
  string: "texto",
  integer: "un número entero",
  number: "un número",
  boolean: "`true` o `false`",
  object: "un objeto",
  array: "una lista",
  null: "null",
};

const formatNames: Record<string, string> = {
  uuid: "un UUID",
  "date-time": "una fecha y hora ISO 8601 con zona, por ejemplo 2026-09-28T14:05:00-05:00",
  email: "un correo electrónico",
  uri: "una dirección http(s) completa",
};

function messageOf(error: ErrorObject, param: string): string {
  const { params } = error;
  const limit = params.limit as number;
  switch (error.keyword) {
    case "required":
      return `Falta \`${param}\`, que es obligatorio.`;
    case "additionalProperties": {
      const hints = error.parentSchema?.["x-hints"] as Record<string, string> | undefined;
      return (
        hints?.[params.additionalProperty] ??
        `\`${param}\` no existe en esta operación. Quítelo o revise cómo se escribe.`
      );
    }
    case "type": {
      const types = [params.type].flat().map((type: string) => typeNames[type] ?? type);
      return `\`${param}\` debe ser ${types.join(" o ")}.`;
    }
    case "format":
      return `\`${param}\` debe ser ${formatNames[params.format] ?? params.format}.`;
    case "enum":
      return `\`${param}\` debe ser uno de: ${(params.allowedValues as unknown[]).map(String).join(", ")}.`;
    case "const":
      return `\`${param}\` debe ser ${JSON.stringify(params.allowedValue)}.`;
    case "minLength":
      return limit === 1
        ? `\`${param}\` no puede estar vacío.`
        : `\`${param}\` debe tener al menos ${limit} caracteres.`;
    case "maxLength":
      return `\`${param}\` admite como máximo ${limit} caracteres.`;
    case "minItems":
      return `\`${param}\` debe tener al menos ${limit} elementos.`;
    case "maxItems":
      return `\`${param}\` admite como máximo ${limit} elementos.`;
    case "minimum":
      return `\`${param}\` debe ser mayor o igual que ${limit}.`;
    case "exclusiveMinimum":
      return `\`${param}\` debe ser mayor que ${limit}.`;
    case "maximum":
      return `\`${param}\` debe ser menor o igual que ${limit}.`;
    case "minProperties":
      return "Envíe al menos un campo para cambiar.";
    case "uniqueItems":
      return `\`${param}\` no admite elementos repetidos.`;
    case "pattern":
      return error.parentSchema?.["x-hints"]?.pattern ?? `\`${param}\` no tiene el formato esperado.`;
    case "x-max-decimals":
      return `\`${param}\` admite como máximo ${error.schema} decimales.`;
    default:
      return `\`${param}\` no es válido.`;
  }
}
