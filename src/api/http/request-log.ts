import type { FastifyInstance } from "fastify";
import type { RequestLog } from "../../access/api-keys/request-log.ts";

/** Logs a line per request, without credentials, query or body. Requests with a key are also stored for its owner. */
export function logRequests(app: FastifyInstance, requestLog: RequestLog): void {
  app.addHook("onResponse", (request, reply, done) => {
    const path = request.url.split("?", 1)[0]!;
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    const { method, presented } = request;
    if (presented) {
      const { accountId, keyId } = presented;
      requestLog.note({ accountId, keyId, requestId: request.id, method, path, status: reply.statusCode, ms });
    }
    request.log.info({
      request_id: request.id,
      account_id: request.access?.accountId ?? request.device?.accountId ?? request.session?.accountId,
      key_id: request.access?.keyId,
      device_id: request.device?.deviceId,
      method,
      path,
      status: reply.statusCode,
      ms,
    });
    done();
  });
}
