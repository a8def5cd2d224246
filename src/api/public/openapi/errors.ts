import { type Scope, scopes } from "../../../engine/resources/scopes.ts";
import { ApiError, type ErrorCode, errorCatalogue, type FieldError, validationError } from "../../../lib/errors.ts";
import { errorBody, toApiError } from "../../http/error-handler.ts";
import { fieldErrors, validatorCompiler } from "../../http/validation.ts";
import { errorHeaders } from "./headers.ts";
import { type PublishedSchema, refTo } from "./schemas.ts";
import { statusTexts } from "./text.ts";

const codes = Object.keys(errorCatalogue) as ErrorCode[];
export const exampleRequestId = "req_019a8b7c2f107c3e9d415b0a6f2e8c24";

const fieldError = {
  type: "object",
  required: ["param", "message"],
  properties: {
    param: { type: "string", description: "El campo, con puntos entre niveles: `variants.0.label`." },
    message: { type: "string", description: "Qué tiene mal." },
  },
  additionalProperties: true,
};

const device = {
  type: "object",
  required: ["id", "name", "app_version", "last_seen_at"],
  properties: {
    id: { type: "string", format: "uuid", description: "La caja." },
    name: { type: "string", description: "Su nombre." },
    app_version: { type: ["string", "null"], description: "Versión instalada, si se conoce." },
    last_seen_at: { type: ["string", "null"], format: "date-time", description: "Última sincronización." },
  },
  additionalProperties: true,
};

/** The body of every error. Properties may be added, so clients must accept unknown ones. */
export const errorComponent = {
  type: "object",
  required: ["error"],
  properties: {
    error: {
      type: "object",
      description: "El error.",
      required: ["code", "message", "request_id", "doc_url"],
      properties: {
        code: { type: "string", enum: codes, description: "Código estable: decida con él, no con el mensaje." },
        message: { type: "string", description: "Qué pasó y qué hacer, en español." },
        param: { type: "string", description: "Campo, parámetro o cabecera que causó el error, cuando lo hay." },
        request_id: { type: "string", description: "El mismo valor de la cabecera `Request-Id`." },
        doc_url: { type: "string", format: "uri", description: "Página de este código." },
        errors: {
          type: "array",
          items: fieldError,
          description: "En `VALIDATION_ERROR`, todos los campos que fallan; el primero es el de `param`.",
        },
        required_scope: {
          type: "string",
          enum: [...scopes],
          description: "En `INSUFFICIENT_SCOPE`, el permiso que falta.",
        },
        devices: {
          type: "array",
          items: device,
          description: "En `DEVICES_OUTDATED`, las cajas por actualizar.",
        },
      },
      additionalProperties: true,
    },
  },
  additionalProperties: true,
} satisfies PublishedSchema;

/** Further fields in the example of a code. */
const details: Partial<Record<ErrorCode, { param?: string; extra?: Record<string, unknown> }>> = {
  INVALID_CURSOR: { param: "starting_after" },
  IDEMPOTENCY_KEY_REQUIRED: { param: "Idempotency-Key" },
  IDEMPOTENCY_KEY_REUSED: { param: "Idempotency-Key" },
  NOT_FOUND: { param: "id" },
  SKU_ALREADY_EXISTS: { param: "sku" },
  NO_WAREHOUSE: { param: "warehouse_id" },
  VARIANT_STOCK_UNSUPPORTED: { param: "product_id" },
  COMPOSITE_STOCK_UNSUPPORTED: { param: "product_id" },
  DEVICES_OUTDATED: {
    extra: {
      devices: [
        {
          id: "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c25",
          name: "Caja 2",
          app_version: "3.4.0",
          last_seen_at: "2026-09-27T22:41:03.000Z",
        },
      ],
    },
  },
};

/** Errors whose example differs from route to route. */
const routeSpecific: ReadonlySet<ErrorCode> = new Set(["VALIDATION_ERROR", "INSUFFICIENT_SCOPE"]);
const unavailable = "SERVICE_UNAVAILABLE";

export function errorExamples(publicUrl: string): Record<string, object> {
  const general = codes.filter((code) => !routeSpecific.has(code));
  const errors: [string, ApiError][] = general.map((code) => [code, new ApiError(code, details[code])]);
  errors.push([unavailable, toApiError({ code: "ECONNREFUSED" })]);
  return Object.fromEntries(
    errors.map(([name, error]) => [name, { summary: name, value: errorBody(error, exampleRequestId, publicUrl) }]),
  );
}

/** What determines the errors of one route. */
export interface ErrorSource {
  method: string;
  takesKey: boolean;
  permission: Scope | undefined;
  isList: boolean;
  byId: boolean;
  /** Declared by the route itself. */
  own: readonly ErrorCode[];
  schema: { params?: unknown; querystring?: unknown; body?: unknown };
}

/** Statuses with the same response on every route that has them: one component each. */
const shared: Record<number, ErrorCode[]> = {
  401: codes.filter((code) => errorCatalogue[code].status === 401),
  404: ["NOT_FOUND"],
  413: ["PAYLOAD_TOO_LARGE"],
  429: ["RATE_LIMITED"],
  500: ["INTERNAL_ERROR"],
  503: ["INTERNAL_ERROR"],
};

export function sharedErrorResponses(): Record<string, object> {
  const each = Object.entries(shared).map(([status, given]) => [`error_${status}`, response(Number(status), given)]);
  return Object.fromEntries(each);
}

/** Every error that a route can return, by status, with its codes. */
export function errorResponses(source: ErrorSource, publicUrl: string): Record<string, object> {
  const routeExample = (code: ErrorCode) => errorBody(routeError(code, source), exampleRequestId, publicUrl);
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes.filter((one) => codesOf(source).has(one))) {
    const { status } = errorCatalogue[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  byStatus.set(503, ["INTERNAL_ERROR"]);
  const sorted = [...byStatus].sort(([a], [b]) => a - b);
  return Object.fromEntries(
    sorted.map(([status, given]) => [
      status,
      status in shared ? { $ref: `#/components/responses/error_${status}` } : response(status, given, routeExample),
    ]),
  );
}

function codesOf({ method, takesKey, permission, isList, byId, own }: ErrorSource): Set<ErrorCode> {
  const always = codes.filter((code) => [401, 403, 429, 500].includes(errorCatalogue[code].status));
  const found = new Set<ErrorCode>(["VALIDATION_ERROR", ...always, ...own]);
  if (permission === undefined) found.delete("INSUFFICIENT_SCOPE");
  if (isList) found.add("INVALID_CURSOR");
  if (byId) found.add("NOT_FOUND");
  if (method !== "GET") found.add("INVALID_JSON").add("PAYLOAD_TOO_LARGE");
  if (method === "PATCH") found.add("CONFLICT");
  if (takesKey) {
    found.add("IDEMPOTENCY_KEY_REQUIRED").add("IDEMPOTENCY_IN_PROGRESS").add("IDEMPOTENCY_KEY_REUSED");
  }
  return found;
}

function response(status: number, given: readonly ErrorCode[], routeExample?: (code: ErrorCode) => object): object {
  const example = (code: ErrorCode): [string, object] => {
    const name = status === 503 ? unavailable : code;
    if (!routeExample || !routeSpecific.has(code)) return [name, { $ref: `#/components/examples/${name}` }];
    return [name, { summary: name, value: routeExample(code) }];
  };
  // Beside `$ref`, not in an `allOf`: client generators would otherwise create one error type per response.
  const codesHere = { properties: { error: { properties: { code: { enum: given } } } } };
  return {
    description: `${statusTexts[status]}: ${given.map((code) => `\`${code}\``).join(", ")}.`,
    headers: errorHeaders(status, given),
    content: {
      "application/json": {
        schema: { ...refTo("error"), ...codesHere },
        examples: Object.fromEntries(given.map(example)),
      },
    },
  };
}

function routeError(code: ErrorCode, source: ErrorSource): ApiError {
  return code === "INSUFFICIENT_SCOPE"
    ? new ApiError(code, { extra: { required_scope: source.permission } })
    : validationError(exampleFieldErrors(source));
}

/** Validates an empty body, a limit too large or a bad id with the route's own schema, so the example is a real response. */
function exampleFieldErrors({ isList, schema }: ErrorSource): FieldError[] {
  const [httpPart, part, value] = schema.body
    ? ["body", schema.body, {}]
    : isList
      ? ["querystring", schema.querystring, { limit: "500" }]
      : schema.params
        ? ["params", schema.params, { id: "123" }]
        : ["querystring", schema.querystring, { limit: "500" }];
  const validate = validatorCompiler({ schema: part as never, httpPart, method: "", url: "" });
  const check = validate as ((input: unknown) => boolean) & { errors: Parameters<typeof fieldErrors>[0] };
  // A body that needs nothing still knows which fields it has.
  return check(value) && check({ otro: 1 }) ? [] : fieldErrors(check.errors, httpPart);
}
