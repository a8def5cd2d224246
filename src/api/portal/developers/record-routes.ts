import type { NeededRight } from "../../../access/people/needed-right.ts";
import { type ResourceName, resources } from "../../../business/registry.ts";
import type { ServedDeps } from "../../../deps.ts";
import { ById, singleQuery } from "../../../engine/resources/fields.ts";
import type { ListSpec } from "../../../engine/resources/list-spec.ts";
import { atLocations, isPlaced } from "../../../engine/resources/placed.ts";
import type { Resource } from "../../../engine/resources/resource.ts";
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
  order: "orders:read",
  supplier: "purchases:read",
  purchase: "purchases:read",
};

/** The list, without what is of other sedes than hers who asks. */
function within(resource: Resource, locationIds: readonly string[] | null): ListSpec {
  if (locationIds === null) return resource;
  const place = resource.name === "location" ? "id" : isPlaced(resource.name) ? "location_id" : undefined;
  if (place === undefined) return resource;
  const { conditions } = resource;
  return {
    ...resource,
    conditions: (query, now, accountId) => [
      ...conditions(query, now, accountId),
      ...atLocations(locationIds, accountId, place),
    ],
  };
}

/** The business's own records, with the filters and the text of the public API. No page shows them yet. */
export function recordRoutes(app: TypedApp, deps: ServedDeps): void {
  const reading = { ...deps, keyLimiter: undefined };
  for (const resource of resources) {
    const right = rightByResource[resource.name];
    const path = `/records${resource.path}`;
    // The text of a product has the stock of all warehouses.
    const config = { right, ofWhole: resource.name === "product" };
    app.get(path, { config, schema: { querystring: resource.query } }, (request, reply) =>
      sendList(reading, asOwner(request), reply, within(resource, request.session.locationIds)),
    );
    app.get(
      `${path}/:id`,
      { config, schema: { params: ById, querystring: singleQuery(resource.query) } },
      (request, reply) => sendOne(reading, asOwner(request), reply, resource),
    );
  }
}
