import type { FastifyInstance } from "fastify";

/** One wide line per request: enough to follow it, never a credential, a query or a body. */
export function logRequests(app: FastifyInstance): void {
  app.addHook("onResponse", (request, reply, done) => {
    request.log.info({
      request_id: request.id,
      account_id: request.access?.accountId ?? request.device?.accountId,
      key_id: request.access?.keyId,
      device_id: request.device?.deviceId,
      method: request.method,
      path: request.url.split("?", 1)[0],
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
    });
    done();
  });
}
