import type { FastifyRequest } from "fastify";
import { ApiError } from "../../lib/errors.ts";

/** Both say which business a page shows: the header with its requests, the parameter in the links of files. */
export const shownBusinessHeader = "mostrador-business";
export const shownBusinessParam = "business";

/**
 * All tabs of a browser have one session, which goes to another business in one of them: what the others ask or write is meant for
 * the business that they still show. Choosing a business says itself which is meant.
 */
export function requireShownBusiness(request: FastifyRequest, prefix: string): void {
  const shown = request.headers[shownBusinessHeader] ?? takeParam(request);
  if (shown === undefined || shown === request.session.accountId) return;
  if (request.routeOptions.url === `${prefix}/session/account`) return;
  throw new ApiError("BUSINESS_CHANGED");
}

/** No schema knows it: it is taken out before they judge. */
function takeParam({ query }: FastifyRequest): unknown {
  const given = query as Record<string, unknown>;
  const shown = given[shownBusinessParam];
  delete given[shownBusinessParam];
  return shown;
}
