import type { FastifyInstance } from "fastify";
import { validationError } from "../../lib/errors.ts";

/**
 * What Node would answer by itself, without a word of ours: an `Expect` that nobody knows (417, where it may as well be
 * ignored), and a missing `Host` (400).
 */
export function replaceNodeResponses(app: FastifyInstance): void {
  app.server.on("checkExpectation", (request, response) => app.server.emit("request", request, response));
  app.addHook("onRequest", ({ headers, raw }, _reply, done) => {
    if (headers.host !== undefined || raw.httpVersionMinor === 0) done();
    else done(validationError([{ param: "Host", message: "Falta la cabecera `Host`, que HTTP/1.1 exige." }]));
  });
}
