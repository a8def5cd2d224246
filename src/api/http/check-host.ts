import type { FastifyInstance } from "fastify";
import type { Config } from "../../config.ts";
import { validationError } from "../../lib/errors.ts";

/**
 * In live the Host header must be the service's own name. Otherwise a web page whose name resolves to us (DNS rebinding)
 * could call the service from inside the network as the same origin. The port is ignored, because proxies often omit it, and
 * so is `X-Forwarded-Host`, because clients can send it. The admin port does not pass through here.
 */
export function checkHost(app: FastifyInstance, { environment, publicUrl }: Config): void {
  if (environment === "test") return;
  const { hostname, origin } = new URL(publicUrl);
  app.addHook("onRequest", ({ headers }, _reply, done) => {
    if (headers.host !== undefined && URL.parse(`http://${headers.host}`)?.hostname === hostname) done();
    else
      done(
        validationError([
          {
            param: "Host",
            message: `La cabecera \`Host\` no nombra este servicio: llámelo en ${origin}. Un proxy que esté delante debe pasarla sin cambios.`,
          },
        ]),
      );
  });
}
