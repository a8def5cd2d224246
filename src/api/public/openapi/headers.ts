import { idempotencyKeyPattern } from "../idempotency.ts";

const refHeader = (name: string) => ({ $ref: `#/components/headers/${name}` });
const pick = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, refHeader(name)]));

const whole = { type: "integer", minimum: 0 };

/** Response headers. Tests fail on a response that lacks a `required` one. */
export const headerComponents = {
  "Request-Id": {
    description: "Identificador de la solicitud, el mismo de `error.request_id`. Inclúyalo al pedir soporte.",
    required: true,
    schema: { type: "string" },
    example: "req_019a8b7c2f107c3e9d415b0a6f2e8c24",
  },
  "RateLimit-Limit": {
    description: "Solicitudes que caben de una vez. Falta solo si esta instalación no limita.",
    schema: whole,
    example: 100,
  },
  "RateLimit-Remaining": { description: "Solicitudes que quedan en este momento.", schema: whole, example: 99 },
  "RateLimit-Reset": { description: "Segundos hasta recuperar el total.", schema: whole, example: 1 },
  ETag: {
    description: "Versión de lo que se entrega. Envíela en `If-None-Match` al releer o en `If-Match` al editar.",
    required: true,
    schema: { type: "string", pattern: '^"[^"]+"$' },
    example: '"1-42"',
  },
  "Export-As-Of": {
    description:
      "Hasta qué instante es completa la exportación. Úselo como `updated_since` de la siguiente para no perder ningún cambio.",
    required: true,
    schema: { type: "string", format: "date-time" },
    example: "2026-09-28T19:05:09.120Z",
  },
  Location: {
    description: "Ruta del registro creado.",
    required: true,
    schema: { type: "string" },
    example: "/public/v1/customers/019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c11",
  },
  "Idempotent-Replayed": {
    description:
      "`true` cuando se repite la respuesta ya dada a la misma `Idempotency-Key`, o se responde el pedido que ya existía con ese `external_id`.",
    schema: { type: "string", const: "true" },
    example: "true",
  },
  "Retry-After": {
    description: "Segundos que debe esperar antes de reintentar.",
    required: true,
    schema: { type: "integer", minimum: 1 },
    example: 1,
  },
  "WWW-Authenticate": {
    description: "Cómo identificarse.",
    required: true,
    schema: { type: "string", const: "Bearer" },
    example: "Bearer",
  },
};

const everywhere = ["Request-Id", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"];

const ofWrite: Record<string, string[]> = {
  POST: ["Location", "Idempotent-Replayed"],
  BATCH: ["Idempotent-Replayed"],
  PREVIEW: [],
};

export function successHeaders(method: string) {
  return pick([...everywhere, ...(ofWrite[method] ?? ["ETag"])]);
}

export function exportHeaders() {
  return pick([...everywhere, "Export-As-Of"]);
}

export function errorHeaders(status: number, codes: readonly string[]) {
  const headers: Record<string, object> = pick(everywhere);
  if (status === 401) headers["WWW-Authenticate"] = refHeader("WWW-Authenticate");
  if (status === 429 || status === 503) headers["Retry-After"] = refHeader("Retry-After");
  if (codes.includes("IDEMPOTENCY_IN_PROGRESS")) {
    const { schema, example } = headerComponents["Retry-After"];
    headers["Retry-After"] = { description: "Con `IDEMPOTENCY_IN_PROGRESS`, segundos de espera.", schema, example };
  }
  return headers;
}

/** Request headers, by the name of their component. */
export const headerParameters = {
  "Idempotency-Key": {
    name: "Idempotency-Key",
    in: "header",
    required: true,
    description:
      "Un valor único por operación, por ejemplo un UUID; vale 24 horas. Repítalo solo para reintentar la misma operación.",
    schema: { type: "string", minLength: 1, maxLength: 255, pattern: idempotencyKeyPattern },
    example: "5f0c1d1e-3a52-4a0e-9a57-0f4f3c2b7d10",
  },
  "If-None-Match": {
    name: "If-None-Match",
    in: "header",
    description: "El `ETag` de su última lectura: si nada cambió, la respuesta es 304 y no gasta cuota.",
    schema: { type: "string" },
  },
  "If-Match": {
    name: "If-Match",
    in: "header",
    description: "El `ETag` que usted leyó: si el registro cambió desde entonces, la respuesta es 409 `CONFLICT`.",
    schema: { type: "string" },
  },
};

export function headersOf(method: string): { $ref: string }[] {
  const name = { POST: "Idempotency-Key", GET: "If-None-Match", PATCH: "If-Match", DELETE: "If-Match" }[method];
  return name === undefined ? [] : [{ $ref: `#/components/parameters/${name}` }];
}
