import type { FastifyRequest } from "fastify";

/** Browsers send their origin. `Sec-Fetch-Mode` alone proves nothing: Node's fetch sends it too. */
export function isBrowser({ headers }: FastifyRequest): boolean {
  return headers.origin !== undefined || headers["sec-fetch-site"] !== undefined;
}
