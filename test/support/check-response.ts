import { readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { uuidPattern } from "../../src/lib/ids.ts";

/** The parts of a response that the check needs. */
export interface Received {
  status: number;
  headers: Headers;
  text: string;
}

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is read as data
type Json = any;

const document: Json = JSON.parse(readFileSync(new URL("../../openapi.json", import.meta.url), "utf8"));
const strict = newAjv({}).addSchema(closed(document), "openapi");
const coercing = newAjv({ coerceTypes: true });

/** Fails unless the committed openapi.json describes this response of the public API completely. */
export function checkResponse(method: string, path: string, received: Received): void {
  const pathname = path.split("?")[0]!;
  const problems = problemsOf(method === "HEAD" ? "get" : method.toLowerCase(), pathname, received, method === "HEAD");
  if (problems.length === 0) return;
  throw new Error(
    [`openapi.json does not describe the answer to ${method} ${path}:`, ...problems, received.text].join("\n  "),
  );
}

function problemsOf(method: string, pathname: string, received: Received, withoutBody: boolean): string[] {
  const { status, headers, text } = received;
  if (pathname === "/openapi.json") return [];
  const operation = pointerToOperation(method, pathname);
  const body = parsed(text);
  const code: string | undefined = body?.error?.code;
  if (code === "ROUTE_NOT_FOUND" || operation === undefined) {
    const known = code === "ROUTE_NOT_FOUND" ? status === 404 : code === "BROWSER_REQUESTS_NOT_ALLOWED";
    return [...(known ? [] : [`status ${status} outside the documented operations`]), ...invalid(errorPointer, body)];
  }
  const pointer = resolve(`${operation}/responses/${status}`);
  if (pointer === undefined) return [`status ${status} is not documented`];
  const response = at(pointer);
  const problems = headerProblems(response, headers);
  if (withoutBody) return problems;
  if (response.content === undefined) return text === "" ? problems : [...problems, "no body is documented"];
  const type = headers.get("content-type");
  if (response.content["application/x-ndjson"]) {
    if (type !== "application/x-ndjson") problems.push(`content-type ${type}`);
    const lines = text.split("\n").slice(0, -1).map(parsed);
    const schema = `${pointer}/content/application~1x-ndjson/schema`;
    return [
      ...problems,
      ...(/[^\n]$/.test(text) ? ["the last line does not end"] : []),
      ...lines.flatMap((line) => invalid(schema, line)),
    ];
  }
  if (type !== "application/json; charset=utf-8") problems.push(`content-type ${type}`);
  problems.push(...invalid(`${pointer}/content/application~1json/schema`, body));
  if (code !== undefined && headers.get("request-id") !== body.error.request_id) problems.push("request_id differs");
  return problems;
}

function pointerToOperation(method: string, pathname: string): string | undefined {
  const matching = (one: string) => new RegExp(`^${one.replace(/\{\w+\}/g, "[^/]*")}$`).test(pathname);
  // A path of its own that knows only other methods leaves this one to the record of that name.
  const template = [pathname, ...Object.keys(document.paths).filter(matching)].find(
    (one) => document.paths[one]?.[method],
  );
  return template === undefined ? undefined : `/paths/${template.replaceAll("/", "~1")}/${method}`;
}

function headerProblems(response: Json, headers: Headers): string[] {
  const problems: string[] = [];
  for (const [name, declared] of Object.entries<Json>(response.headers ?? {})) {
    const { required = false, schema } = declared.$ref ? at(declared.$ref.slice(1)) : declared;
    const value = headers.get(name);
    if (value === null && required) problems.push(`header ${name} is missing`);
    const isRight = value === null || coercing.validate(schema, value);
    if (!isRight) problems.push(`header ${name} is ${headers.get(name)}`);
  }
  // All or none: an installation without a limit sends none.
  const rate = ["limit", "remaining", "reset"].filter((name) => headers.has(`ratelimit-${name}`));
  if (rate.length === 1 || rate.length === 2) problems.push(`only RateLimit ${rate.join(", ")}`);
  return problems;
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const errorPointer = "/components/schemas/error";
const validators = new Map<string, ValidateFunction>();

/** The errors of a value by the schema at this path of the document. */
export function invalid(pointer: string, value: unknown): string[] {
  let validate = validators.get(pointer);
  if (!validate) {
    validate = strict.compile({ $ref: `openapi#${pointer}` });
    validators.set(pointer, validate);
  }
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    (error) => `${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`,
  );
}

function newAjv(options: object): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false, ...options });
  ajv.addFormat("uuid", new RegExp(uuidPattern));
  ajv.addFormat("date-time", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/);
  ajv.addFormat("email", /^[^\s@]+@[^\s@]+$/);
  ajv.addFormat("uri", (text) => URL.canParse(text));
  return ajv;
}

/** The published schemas allow unknown fields, so that new ones break no client. Here they are a mistake. */
function closed(node: Json): Json {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== "object" || node === null) return node;
  const copy = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, closed(value)]));
  const isOpen = copy.type === "object" && copy.properties && copy.additionalProperties === undefined;
  return isOpen ? { ...copy, additionalProperties: false } : copy;
}

function at(pointer: string): Json {
  const steps = pointer.split("/").slice(1);
  return steps.reduce((node, step) => node?.[step.replaceAll("~1", "/").replaceAll("~0", "~")], document);
}

/** The path of a node, with its reference resolved; undefined when there is none. */
function resolve(pointer: string): string | undefined {
  const node = at(pointer);
  return node === undefined ? undefined : (node.$ref?.slice(1) ?? pointer);
}
