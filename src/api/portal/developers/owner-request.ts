import type { FastifyRequest } from "fastify";

/** The request with the account of its session. The request itself stays without a key, so the call log ignores it. */
export function asOwner(request: FastifyRequest): FastifyRequest {
  return Object.create(request, { access: { value: { accountId: request.session.accountId } } }) as FastifyRequest;
}
