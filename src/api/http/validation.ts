import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import type { DataValidationCxt } from "ajv/dist/types/index.js";
import type { FastifyRequest, FastifySchemaCompiler } from "fastify";
import type { TSchema } from "typebox";
import { type FieldError, validationError } from "../../lib/errors.ts";
import { uuidPattern } from "../../lib/ids.ts";
import { canonicalInstant } from "../../lib/instant.ts";
import { isStorableText } from "../../lib/json.ts";
import { isOneLine, isVisible, lineText } from "../../lib/one-line.ts";
import { tidied, tidyIn } from "./tidy-texts.ts";

const ajv = newAjv();

/**
 * Bodies are never coerced. Query strings are text, so their values must be. A schema is compiled with its first request: all of
 * them take half a second, which every start would wait for.
 */
export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const validate = compiledOnUse(schema);
  if (httpPart === "body") return tidying(schema, validate);
  if (httpPart !== "querystring") return validate;
  const coerceTexts = textCoercer(schema);
  const normalizeInstants = instantNormalizer(schema);
  const validateQuery = (query: Record<string, unknown>): boolean => {
    coerceTexts(query);
    const isValid = validate(query);
    if (isValid) normalizeInstants(query);
    validateQuery.errors = validate.errors ?? null;
    return isValid;
  };
  validateQuery.errors = null as ErrorObject[] | null;
  return validateQuery;
};

function compiledOnUse(schema: TSchema): ValidateFunction {
  let compiled: ValidateFunction | undefined;
  const validate = (value: unknown): boolean => {
    compiled ??= ajv.compile(schema);
    const isValid = compiled(value);
    validate.errors = compiled.errors ?? null;
    return isValid;
  };
  validate.errors = null as ErrorObject[] | null;
  return validate as ValidateFunction;
}

/** A body whose texts are brought into the form in which they are stored, before they are judged. */
function tidying(schema: TSchema, validate: ValidateFunction): ValidateFunction {
  const tidy = tidyIn(schema);
  if (!tidy) return validate;
  const validateBody = (body: unknown): boolean => {
    const isValid = validate(tidied(body, tidy));
    validateBody.errors = validate.errors ?? null;
    return isValid;
  };
  validateBody.errors = null as ErrorObject[] | null;
  return validateBody as ValidateFunction;
}

/**
 * Turns `25` into a number and `true` into a boolean where the schema expects one. Ajv's own coercion also accepts `0x10` and
 * ` 5`, and lets `1e400` through as Infinity, past every maximum. A boolean is taken as clients of other languages write it: PHP
 * sends `1`, Python `True`.
 */
function textCoercer(schema: TSchema): (query: Record<string, unknown>) => void {
  const properties = Object.entries((schema as { properties?: Record<string, { type?: string }> }).properties ?? {});
  const integers = properties.filter(([, { type }]) => type === "integer").map(([name]) => name);
  const booleans = properties.filter(([, { type }]) => type === "boolean").map(([name]) => name);
  return (query) => {
    for (const name of integers) {
      const text = query[name];
      if (typeof text === "string" && /^-?\d{1,15}$/.test(text)) query[name] = Number(text);
    }
    for (const name of booleans) {
      const text = query[name];
      if (typeof text === "string") query[name] = booleanTexts.get(text.toLowerCase()) ?? text;
    }
  };
}

const booleanTexts = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
]);

/** Normalizes the instants of a query, so that a cursor matches its filters however they were written. */
function instantNormalizer(schema: TSchema): (query: Record<string, unknown>) => void {
  const properties = Object.entries((schema as { properties?: Record<string, { format?: string }> }).properties ?? {});
  const instants = properties.filter(([, { format }]) => format === "date-time").map(([name]) => name);
  return (query) => {
    for (const name of instants) if (typeof query[name] === "string") query[name] = canonicalInstant(query[name], "up");
  };
}

function newAjv(): Ajv {
  const ajv = new Ajv({
    useDefaults: true,
    removeAdditional: false,
    allErrors: true,
    verbose: true,
    strict: true,
    allowUnionTypes: true,
  });
  addFormats(ajv);
  // Counts decimals in the shortest representation, which is what the client wrote; multipleOf would fail on 0.1 × 3.
  ajv.addKeyword({
    keyword: "x-max-decimals",
    type: "number",
    schemaType: "number",
    validate: (places: number, value: number) =>
      (String(value).split(".")[1]?.length ?? 0) <= places && !String(value).includes("e-"),
  });
  ajv.addKeyword({
    keyword: "x-one-line",
    type: "string",
    schemaType: "boolean",
    validate: (_is: boolean, value: string) => isOneLine(value),
  });
  ajv.addKeyword({
    keyword: "x-visible",
    type: "string",
    schemaType: "string",
    validate: (when: "always" | "unless-empty", value: string) =>
      isVisible(value) || (when === "unless-empty" && lineText(value) === ""),
  });
  ajv.addKeyword({
    keyword: "x-exact-text",
    type: "string",
    schemaType: "number",
    validate: (most: number, value: string) => {
      const line = lineText(value);
      return line !== "" && Array.from(line).length <= most;
    },
  });
  ajv.addKeyword({
    keyword: "x-null-is-absent",
    modifying: true,
    validate: (_is: boolean, value: unknown, _schema: unknown, at?: DataValidationCxt) => {
      if (value === null && at) delete at.parentData[at.parentDataProperty];
      return true;
    },
  });
  for (const keyword of ["x-hints", "x-documented"]) ajv.addKeyword({ keyword });
  return ajv;
}

export function addFormats(ajv: Ajv): void {
  ajv.addFormat("uuid", new RegExp(uuidPattern));
  ajv.addFormat("date-time", isInstant);
  ajv.addFormat("email", /^[^\s@<>,;]+@[^\s@<>,;.]+(\.[^\s@<>,;.]+)+$/);
  ajv.addFormat("uri", (text) => /^https?:\/\//i.test(text) && URL.canParse(text));
}

const instant =
  /^(?!0000)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[Tt](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:[Zz]|[+-](?:0\d|1[0-4]):[0-5]\d)$/;

/** ISO 8601 with a time zone: without one, the instant is ambiguous. */
function isInstant(text: string): boolean {
  if (!instant.test(text)) return false;
  const dayOfMonth = Number(text.slice(8, 10));
  if (dayOfMonth <= 28) return true;
  const [year, month] = [Number(text.slice(0, 4)), Number(text.slice(5, 7))];
  return dayOfMonth <= new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
}

/** Text that may not be stored finds nothing. Queries are checked here, bodies by the body parser. */
export function checkQueryText(request: FastifyRequest): void {
  const start = request.url.indexOf("?");
  // Only escapes can contain invalid text, and the query parser leaves malformed ones unchanged.
  if (start === -1 || !request.url.includes("%", start)) return;
  for (const pair of request.url.slice(start + 1).split("&")) {
    if (isEscapedText(pair)) continue;
    const name = pair.split("=", 1)[0]!;
    const param = name !== "" && isEscapedText(name) ? decodeURIComponent(name) : "query";
    throw validationError([
      {
        param,
        message: `\`${param}\` no es texto UTF-8 codificado para una URL, o contiene NUL u otro carácter de control. Codifíquelo de nuevo.`,
      },
    ]);
  }
}

function isEscapedText(escaped: string): boolean {
  try {
    return isStorableText(decodeURIComponent(escaped));
  } catch {
    return false;
  }
}

/** A body of 256 KiB with only invalid elements would otherwise cause a response of 8 MB. */
export const maxFieldErrors = 100;

/** Ajv's errors in Spanish, one per field. */
export function fieldErrors(errors: readonly ErrorObject[], where: string): FieldError[] {
  const found = new Map<string, FieldError>();
  for (const error of errors) {
    if (found.size === maxFieldErrors) break;
    const param = paramOf(error, where);
    if (!found.has(param)) found.set(param, { param, message: messageOf(error, param) });
  }
  return [...found.values()];
}

function paramOf(error: ErrorObject, where: string): string {
  const path = error.instancePath
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  const named = error.params.missingProperty ?? error.params.additionalProperty;
  if (typeof named === "string") path.push(named);
  if (error.propertyName !== undefined) path.push(error.propertyName);
  return path.join(".") || where;
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

const messages: Record<string, (param: string, error: ErrorObject) => string> = {
  required: (param) => `Falta \`${param}\`, que es obligatorio.`,
  additionalProperties(param, { params, parentSchema }) {
    const hints: Record<string, string> = parentSchema?.["x-hints"] ?? {};
    // A client may send a field called `constructor`, which every object inherits.
    return Object.hasOwn(hints, params.additionalProperty)
      ? hints[params.additionalProperty]!
      : `\`${param}\` no existe en esta operación. Quítelo o revise cómo se escribe.`;
  },
  type(param, { params }) {
    const types = [params.type].flat().map((type: string) => typeNames[type] ?? type);
    return `\`${param}\` debe ser ${types.join(" o ")}.`;
  },
  format: (param, { params, data }) =>
    `\`${param}\` debe ser ${formatNames[params.format] ?? params.format}.${isMissingPlus(params.format, data) ? " En la URL un `+` es un espacio: escríbalo `%2B`." : ""}`,
  enum: (param, { params }) => `\`${param}\` debe ser uno de: ${params.allowedValues.map(String).join(", ")}.`,
  const: (param, { params }) => `\`${param}\` debe ser ${JSON.stringify(params.allowedValue)}.`,
  minLength: (param, { params: { limit } }) =>
    limit === 1 ? `\`${param}\` no puede estar vacío.` : `\`${param}\` debe tener al menos ${limit} caracteres.`,
  maxLength: (param, { params }) => `\`${param}\` admite como máximo ${params.limit} caracteres.`,
  minItems: (param, { params }) => `\`${param}\` debe tener al menos ${elements(params.limit)}.`,
  maxItems: (param, { params }) => `\`${param}\` admite como máximo ${elements(params.limit)}.`,
  minimum: (param, { params }) => `\`${param}\` debe ser mayor o igual que ${params.limit}.`,
  exclusiveMinimum: (param, { params }) => `\`${param}\` debe ser mayor que ${params.limit}.`,
  maximum: (param, { params }) => `\`${param}\` debe ser menor o igual que ${params.limit}.`,
  maxProperties: (param, { params }) => `\`${param}\` admite como máximo ${params.limit} claves.`,
  minProperties: () => "Envíe al menos un campo para cambiar.",
  uniqueItems: (param) => `\`${param}\` no admite elementos repetidos.`,
  pattern: (param, { parentSchema }) =>
    parentSchema?.["x-hints"]?.pattern ?? `\`${param}\` no tiene el formato esperado.`,
  "x-one-line": (param) =>
    `\`${param}\` debe ir en una sola línea, sin caracteres de control ni caracteres invisibles. Escríbalo de nuevo.`,
  "x-visible": (param) => `\`${param}\` debe tener al menos un carácter que se vea. Escríbalo de nuevo.`,
  "x-exact-text": (param, { schema, data }) =>
    typeof data === "string" && lineText(data) === ""
      ? `\`${param}\` no puede estar vacío.`
      : `\`${param}\` admite como máximo ${String(schema)} caracteres.`,
  "x-max-decimals": (param, { schema }) => `\`${param}\` admite como máximo ${String(schema)} decimales.`,
};

const elements = (count: number) => (count === 1 ? "1 elemento" : `${count} elementos`);

/** The offset of an instant whose `+` was not encoded, as the query parser reads it. */
function isMissingPlus(format: string, data: unknown): boolean {
  return format === "date-time" && typeof data === "string" && isInstant(data.replace(/ (?=\d\d:\d\d$)/, "+"));
}

function messageOf(error: ErrorObject, param: string): string {
  return messages[error.keyword]?.(param, error) ?? `\`${param}\` no es válido.`;
}
