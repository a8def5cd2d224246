import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { queryWithoutSecrets, type RequestDetails, withoutSecrets } from "../../access/api-keys/loggable-request.ts";
import type { RequestLog } from "../../access/api-keys/request-log.ts";
import { buyerPath } from "../../fiscal/documents/buyer-link.ts";
import { accountOf } from "./away-accounts.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The code of the error that was sent, if one was. */
    errorCode?: string;
  }
}

/** Who reads the log must not be able to open what a buyer's link opens. */
const buyersSecret = new RegExp(`^${buyerPath}/[^/]+`);

/** Logs a line per request, without credentials, query or body. Requests with a key are also stored for its owner. */
export function logRequests(app: FastifyInstance, requestLog: RequestLog): void {
  app.addHook("onResponse", (request, reply, done) => {
    const path = request.url.split("?", 1)[0]!.replace(buyersSecret, `${buyerPath}/…`);
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    const { method, presented } = request;
    if (presented) {
      const { accountId, keyId } = presented;
      const details = () => detailsOf(request, reply);
      const { statusCode: status } = reply;
      requestLog.note({ accountId, keyId, requestId: request.id, method, path, status, ms, from: request.ip, details });
    }
    request.log.info({
      request_id: request.id,
      account_id: accountOf(request),
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

function detailsOf(request: FastifyRequest, reply: FastifyReply): RequestDetails {
  return {
    query: queryWithoutSecrets(request.url),
    errorCode: request.errorCode ?? null,
    // Rendered one by one: the log writes up to 2 000 at once, and requests would wait while it renders all of theirs.
    requestHeaders: JSON.stringify(withoutSecrets(request.headers)),
    responseHeaders: JSON.stringify(withoutSecrets(reply.getHeaders())),
  };
}
