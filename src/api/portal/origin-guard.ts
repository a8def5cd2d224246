import type { FastifyRequest } from "fastify";
import { ApiError } from "../../lib/errors.ts";

/**
 * A writing request must come from the portal itself, or from a script, which names no origin. SameSite=Strict already
 * keeps the cookie from other sites; this also stops a sibling subdomain.
 */
export function requireOwnOrigin(request: FastifyRequest, publicUrl: string): void {
  if (request.method === "GET" || request.method === "HEAD") return;
  const { origin, host } = request.headers;
  const site = request.headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none") throw new ApiError("FOREIGN_ORIGIN");
  if (origin === undefined) return;
  // Behind a proxy the host may be rewritten; in front of none the public URL may not be set. Either names us.
  const own = [new URL(publicUrl).origin, `http://${host}`, `https://${host}`];
  if (!own.includes(origin)) throw new ApiError("FOREIGN_ORIGIN");
}
