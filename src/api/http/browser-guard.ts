import type { FastifyRequest } from "fastify";

/** A browser names its origin. `Sec-Fetch-Mode` alone proves nothing: Node's own fetch sends it. */
export function isBrowser({ headers }: FastifyRequest): boolean {
  return headers.origin !== undefined || headers["sec-fetch-site"] !== undefined;
}
