import type { RouteTable } from "../../src/api/http/route-table.ts";
import type { FuzzedRoute } from "./requests.ts";

/** The routes of an API without an OpenAPI document, with the schemas they validate by. */
export function routesOf(table: RouteTable): FuzzedRoute[] {
  return table.routes
    .filter(({ method }) => method !== "HEAD")
    .map(({ method, url, schema }) => ({
      method: String(method),
      path: url,
      ...(schema?.querystring !== undefined && { query: schema.querystring }),
      ...(schema?.body !== undefined && { body: schema.body }),
    }));
}
