import type { FastifyInstance } from "fastify";
import { validationError } from "../../lib/errors.ts";

/**
 * Replaces responses that Node would send without our error envelope: 417 for an unknown `Expect`, which we ignore, and 400
 * for a missing `Host`.
 */
export function replaceNodeResponses(app: FastifyInstance): void {
  app.server.on("checkExpectation", (request, response) => app.server.emit("request", request, response));
  app.addHook("onRequest", ({ headers, raw }, _reply, done) => {
    if (headers.host !== undefined || raw.httpVersionMinor === 0) done();
    else done(validationError([{ param: "Host", message: "Falta la cabecera `Host`, que HTTP/1.1 exige." }]));
  });
}
