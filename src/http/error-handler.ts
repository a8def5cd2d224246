import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isUnavailable } from "../db/transaction.ts";
import { ApiError, validationError } from "../lib/errors.ts";
import { fieldErrors } from "./validation.ts";

const whereNames: Record<string, string> = { body: "body", querystring: "query", params: "path", headers: "headers" };

/** Whatever was thrown, as the error that the client may see. Never a stack, never SQL. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const { code, validation, validationContext } = error as FastifyError;
  if (validation) {
    return validationError(
      fieldErrors(validation as Parameters<typeof fieldErrors>[0], whereNames[validationContext ?? "body"] ?? "body"),
    );
  }
  if (code === "FST_ERR_CTP_BODY_TOO_LARGE") return new ApiError("PAYLOAD_TOO_LARGE", { cause: error });
  if (code?.startsWith("FST_ERR_CTP")) return new ApiError("INVALID_JSON", { cause: error });
  if (code === "FST_ERR_BAD_URL" || code === "FST_ERR_ROUTE_MAX_PARAM_LENGTH")
    return new ApiError("ROUTE_NOT_FOUND", { cause: error });
  if (isUnavailable(error)) {
    return new ApiError("INTERNAL_ERROR", {
      status: 503,
      headers: { "retry-after": "2" },
      message:
        "El servicio no está disponible en este momento. Espere los segundos de `Retry-After` y reintente la misma solicitud.",
      cause: error,
    });
  }
  return new ApiError("INTERNAL_ERROR", { cause: error });
}

/** The one error envelope of all three APIs. */
export function errorBody(error: ApiError, requestId: string, publicUrl: string): object {
  return {
    error: {
      code: error.code,
      message: error.message,
      ...(error.param !== undefined && { param: error.param }),
      request_id: requestId,
      doc_url: `${publicUrl}/docs/errores#${error.code}`,
      ...error.extra,
    },
  };
}

export function sendError(
  request: FastifyRequest,
  reply: FastifyReply,
  thrown: unknown,
  publicUrl: string,
): FastifyReply {
  const error = toApiError(thrown);
  if (error.status >= 500) request.log.error({ err: error.cause ?? error, request_id: request.id }, "request failed");
  if (error.status === 401) void reply.header("www-authenticate", "Bearer");
  return reply
    .code(error.status)
    .headers(error.headers)
    .removeHeader("etag")
    .type("application/json; charset=utf-8")
    .send(JSON.stringify(errorBody(error, request.id, publicUrl)));
}

export function handleErrors(app: FastifyInstance, publicUrl: string): void {
  app.setErrorHandler((error, request, reply) => sendError(request, reply, error, publicUrl));
}
