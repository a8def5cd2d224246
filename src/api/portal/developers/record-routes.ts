import { resources } from "../../../business/registry.ts";
import type { ServedDeps } from "../../../deps.ts";
import { ById, singleQuery } from "../../../engine/resources/fields.ts";
import type { TypedApp } from "../../public/public-app.ts";
import { sendList, sendOne } from "../../public/reading.ts";
import { asOwner } from "./owner-request.ts";

/** The business's own records, with the filters and the text of the public API. No page shows them yet. */
export function recordRoutes(app: TypedApp, deps: ServedDeps): void {
  const reading = { ...deps, keyLimiter: undefined };
  for (const resource of resources) {
    const path = `/records${resource.path}`;
    app.get(path, { schema: { querystring: resource.query } }, (request, reply) =>
      sendList(reading, asOwner(request), reply, resource),
    );
    app.get(`${path}/:id`, { schema: { params: ById, querystring: singleQuery(resource.query) } }, (request, reply) =>
      sendOne(reading, asOwner(request), reply, resource),
    );
  }
}
