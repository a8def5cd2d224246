import type { FastifyRequest } from "fastify";
import { ApiError } from "../../lib/errors.ts";

/**
 * A writing request must come from the portal itself, or from a script, which sends no origin. SameSite=Strict already keeps
 * the cookie from other sites; this also stops sibling subdomains.
 */
export function requireOwnOrigin(request: FastifyRequest, publicUrl: string): void {
  if (request.method === "GET" || request.method === "HEAD") return;
  const { origin, host } = request.headers;
  const site = request.headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none") throw new ApiError("FOREIGN_ORIGIN");
  if (origin === undefined) return;
  // A proxy may rewrite the host, and without a proxy the public URL may not be set: either one identifies us.
  const own = [new URL(publicUrl).origin, `http://${host}`, `https://${host}`];
  if (!own.includes(origin)) throw new ApiError("FOREIGN_ORIGIN");
}
