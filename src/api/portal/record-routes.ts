import type { FastifyRequest } from "fastify";
import { resources } from "../../business/registry.ts";
import type { ServedDeps } from "../../deps.ts";
import { ById, IncludeDeleted, NoQuery } from "../../engine/resources/fields.ts";
import type { TypedApp } from "../public/public-app.ts";
import { sendList, sendOne } from "../public/reading.ts";

/** The business's own records, with the filters and the text of the public API. No page shows them yet. */
export function recordRoutes(app: TypedApp, deps: ServedDeps): void {
  const reading = { ...deps, keyLimiter: undefined };
  for (const resource of resources) {
    const path = `/records${resource.path}`;
    const single = "include_deleted" in resource.query.properties ? IncludeDeleted : NoQuery;
    app.get(path, { schema: { querystring: resource.query } }, (request, reply) =>
      sendList(reading, asOwner(request), reply, resource),
    );
    app.get(`${path}/:id`, { schema: { params: ById, querystring: single } }, (request, reply) =>
      sendOne(reading, asOwner(request), reply, resource),
    );
  }
}

/** The request as the owner's: no key came with it, and none is noted in the log of calls. */
function asOwner(request: FastifyRequest): FastifyRequest {
  return Object.create(request, { access: { value: { accountId: request.session.accountId } } }) as FastifyRequest;
}
