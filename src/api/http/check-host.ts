import type { IncomingMessage } from "node:http";
import type { FastifyInstance } from "fastify";
import type { Config } from "../../config.ts";
import { validationError } from "../../lib/errors.ts";

/** A name or an address, perhaps with a port; nothing that two programs may read differently. */
const hostSyntax = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/i;

/**
 * What is wrong with the Host header of any request. Node takes the first of two where a proxy may have taken the last, and
 * each would believe to have checked the other's. None, or an empty one, is as HTTP/1.0 has it.
 */
export function hostProblem({ rawHeaders }: IncomingMessage): string | undefined {
  let given: string | undefined;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length !== 4 || name.toLowerCase() !== "host") continue;
    if (given !== undefined) return "La cabecera `Host` viene más de una vez: envíela una sola vez.";
    given = rawHeaders[i + 1]!;
  }
  if (!given || hostSyntax.test(given)) return undefined;
  return "La cabecera `Host` no es un nombre ni una dirección, con su puerto si lo hay: corríjala.";
}

/**
 * In live the Host header must be the service's own name. Otherwise a web page whose name resolves to us (DNS rebinding)
 * could call the service from inside the network as the same origin. The port is ignored, because proxies often omit it, and
 * so is `X-Forwarded-Host`, because clients can send it.
 */
export function checkHost(app: FastifyInstance, { environment, publicUrl }: Config): void {
  const { hostname, origin } = new URL(publicUrl);
  app.addHook("onRequest", ({ headers, raw }, _reply, done) => {
    const problem = hostProblem(raw);
    if (problem !== undefined)
      return done(validationError([{ param: "Host", message: `${problem} Este servicio es ${origin}.` }]));
    if (environment === "test" || isNamed(headers.host, hostname)) return done();
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

/** The admin port is asked by whatever address it has. */
export function refuseOddHosts(admin: FastifyInstance): void {
  admin.addHook("onRequest", ({ raw }, reply, done) => {
    const problem = hostProblem(raw);
    if (problem === undefined) done();
    else void reply.code(400).send({ status: "bad request", problems: [problem] });
  });
}

function isNamed(host: string | undefined, hostname: string): boolean {
  return host !== undefined && URL.parse(`http://${host}`)?.hostname === hostname;
}
