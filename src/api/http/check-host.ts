import type { FastifyInstance } from "fastify";
import type { Config } from "../../config.ts";
import { validationError } from "../../lib/errors.ts";

/**
 * In live a request must name the service by its own address. A page whose name was pointed here (DNS rebinding) would
 * otherwise speak to it from inside the network, and count as the same origin. The port does not matter: proxies often leave
 * it out. `X-Forwarded-Host` is not asked, because a client may send it; the admin port does not come through here.
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
