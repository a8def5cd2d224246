import type { FastifyRequest } from "fastify";
import { ApiError } from "../../lib/errors.ts";

/**
 * A writing request must come from the portal itself, or from a script, which sends no origin. SameSite=Strict already keeps
 * the cookie from other sites; this also stops sibling subdomains.
 */
export function requireOwnOrigin(request: FastifyRequest, publicUrl: string): void {
  if (request.method === "GET" || request.method === "HEAD") return;
  if (isForeign(request, publicUrl)) throw new ApiError("FOREIGN_ORIGIN");
}

/** Registers are programs, or the one that this installation serves: another site's pages have no business here. */
export function refuseForeignPages(request: FastifyRequest, publicUrl: string): void {
  if (isForeign(request, publicUrl))
    throw new ApiError("FOREIGN_ORIGIN", {
      message: "Desde un navegador solo se sincroniza la caja de esta misma instalación. Ábrala en /caja/.",
    });
}

function isForeign({ headers }: FastifyRequest, publicUrl: string): boolean {
  const { origin, host } = headers;
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none") return true;
  if (origin === undefined) return false;
  // A proxy may rewrite the host, and without a proxy the public URL may not be set: either one identifies us.
  return ![new URL(publicUrl).origin, `http://${host}`, `https://${host}`].includes(origin);
}
