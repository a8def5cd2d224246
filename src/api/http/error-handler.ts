import { maxHeaderSize, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { dayWithoutPartition } from "../../db/partitions.ts";
import { isUnavailable } from "../../db/transaction.ts";
import { WriteQueueFullError } from "../../engine/writing/account-queue.ts";
import { ApiError, validationError } from "../../lib/errors.ts";
import { newRequestId } from "../../lib/request-id.ts";
import { fieldErrors } from "./validation.ts";

const whereNames: Record<string, string> = { body: "body", querystring: "query", params: "path", headers: "headers" };

/** Turns anything thrown into the error that the client sees: never a stack, never SQL. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const { code, message, validation, validationContext } = error as FastifyError;
  if (validation) {
    return validationError(
      fieldErrors(validation as Parameters<typeof fieldErrors>[0], whereNames[validationContext ?? "body"] ?? "body"),
    );
  }
  if (code === "FST_ERR_CTP_BODY_TOO_LARGE") return new ApiError("PAYLOAD_TOO_LARGE", { cause: error });
  if (code?.startsWith("FST_ERR_CTP")) return new ApiError("INVALID_JSON", { cause: error });
  if (code === "FST_ERR_BAD_URL") return new ApiError("ROUTE_NOT_FOUND", { cause: error });
  // Node's error for a client that hung up while sending its body. The code alone could come from the database.
  if (code === "ECONNRESET" && message === "aborted") return new ApiError("INVALID_JSON", { cause: error });
  if (error instanceof WriteQueueFullError) return unavailable(2);
  if (isUnavailable(error) || dayWithoutPartition(error) !== undefined) return unavailable(2, error);
  return new ApiError("INTERNAL_ERROR", { cause: error });
}

/** The database is down or the service overloaded: the client may repeat the same request soon. */
export function unavailable(retryAfterSeconds: number, cause?: unknown): ApiError {
  return new ApiError("INTERNAL_ERROR", {
    status: 503,
    headers: { "retry-after": String(retryAfterSeconds) },
    message:
      "El servicio no está disponible en este momento. Espere los segundos de `Retry-After` y reintente la misma solicitud.",
    cause,
  });
}

/** The one error envelope of all three APIs. */
export function errorBody(error: ApiError, requestId: string, publicUrl: string): { error: object } {
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
  request.errorCode = error.code;
  // Requests shed because of overload already have a log line with their 503, and need no stack.
  const isFault = error.status === 500 || (error.status > 500 && error.cause !== undefined);
  if (isFault) request.log.error({ err: error.cause ?? error, request_id: request.id }, "request failed");
  if (error.status === 401) void reply.header("www-authenticate", "Bearer");
  return reply
    .code(error.status)
    .header("request-id", request.id)
    .headers(error.headers)
    .removeHeader("etag")
    .type("application/json; charset=utf-8")
    .send(JSON.stringify(errorBody(error, request.id, publicUrl)));
}

/** Responds to malformed HTTP, or headers that never end: there is no Fastify request or reply yet. */
export function rejectBrokenRequest(error: Error & { code?: string }, socket: Socket, publicUrl: string): void {
  // The client hung up, or a response has already begun: it is too late to send an error.
  const answered = (socket as Socket & { _httpMessage?: ServerResponse })._httpMessage?.headersSent;
  if (error.code === "ECONNRESET" || !socket.writable || answered) {
    socket.destroy(error);
    return;
  }
  const requestId = newRequestId();
  const problem =
    error.code === "HPE_HEADER_OVERFLOW"
      ? { param: "headers", message: `La dirección y las cabeceras suman más de ${maxHeaderSize / 1024} KiB.` }
      : { param: "request", message: "La solicitud no es HTTP/1.1 válido, o tardó demasiado en llegar." };
  const body = JSON.stringify(errorBody(validationError([problem]), requestId, publicUrl));
  socket.end(
    [
      "HTTP/1.1 400 Bad Request",
      `Request-Id: ${requestId}`,
      "Content-Type: application/json; charset=utf-8",
      `Content-Length: ${Buffer.byteLength(body)}`,
      "Connection: close",
      "",
      body,
    ].join("\r\n"),
  );
}

export function handleErrors(app: FastifyInstance, publicUrl: string): void {
  app.setErrorHandler((error, request, reply) => sendError(request, reply, error, publicUrl));
}
