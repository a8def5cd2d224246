import type { FastifyInstance } from "fastify";
import type { Deps } from "../deps.ts";
import type { RouteTable } from "../http/route-table.ts";
import { serveDocument } from "./reference.ts";

/** The developer site: the reference, the errors, and whoever comes to the front door. */
export function docsRoutes(app: FastifyInstance, { config }: Deps, table: RouteTable): void {
  serveDocument(app, config, table);
}
