import type { NeededRight } from "../../../access/people/needed-right.ts";
import { type ResourceName, resources } from "../../../business/registry.ts";
import type { ServedDeps } from "../../../deps.ts";
import { ById, singleQuery } from "../../../engine/resources/fields.ts";
import type { TypedApp } from "../../public/public-app.ts";
import { sendList, sendOne } from "../../public/reading.ts";
import { asOwner } from "./owner-request.ts";

const rightByResource: Readonly<Record<ResourceName, NeededRight>> = {
  customer: "customers:read",
  category: "products:read",
  product: "products:read",
  sale: "sales:read",
  return: "sales:read",
  invoice: "documents:read",
  stock_movement: "stock:read",
  // The switch of every page names them.
  location: "anyone",
  warehouse: "stock:read",
  // Money that goes back belongs to a drawer.
  cash_session: { any: ["shifts:read", "sales:correct"] },
  quote: "sales:read",
};

/** The business's own records, with the filters and the text of the public API. No page shows them yet. */
export function recordRoutes(app: TypedApp, deps: ServedDeps): void {
  const reading = { ...deps, keyLimiter: undefined };
  for (const resource of resources) {
    const right = rightByResource[resource.name];
    const path = `/records${resource.path}`;
    app.get(path, { config: { right }, schema: { querystring: resource.query } }, (request, reply) =>
      sendList(reading, asOwner(request), reply, resource),
    );
    app.get(
      `${path}/:id`,
      { config: { right }, schema: { params: ById, querystring: singleQuery(resource.query) } },
      (request, reply) => sendOne(reading, asOwner(request), reply, resource),
    );
  }
}
