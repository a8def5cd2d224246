import { readFileSync } from "node:fs";
import type { FastifyInstance } from "fastify";
import { compress } from "../../api/http/compression.ts";
import { sendError } from "../../api/http/error-handler.ts";
import type { RouteTable } from "../../api/http/route-table.ts";
import type { Deps } from "../../deps.ts";
import { ApiError } from "../../lib/errors.ts";
import { errorsPage, errorsPath } from "./errors-page.ts";
import { serveGuides } from "./guide-routes.ts";
import { sendPage } from "./layout.ts";
import { notFoundPage } from "./not-found-page.ts";
import { serveDocument, serveReferencePage } from "./reference.ts";

/** The developer site: the reference, the errors, the guides, and the page for unknown addresses. */
export function docsRoutes(app: FastifyInstance, { config }: Deps, table: RouteTable): void {
  serveDocument(app, config, table);
  serveReferencePage(app);
  app.get("/docs/", (_request, reply) => reply.redirect("/docs", 308));
  app.get(errorsPath, { onSend: compress }, (_request, reply) => sendPage(reply, errorsPage(config.publicUrl)));
  serveGuides(app, config, table);
  serveFile(app, "style.css", "text/css; charset=utf-8");
  serveFile(app, "icon.svg", "image/svg+xml");
  app.setNotFoundHandler((request, reply) => {
    if (request.headers.accept?.includes("text/html")) return sendPage(reply.code(404), notFoundPage());
    return sendError(request, reply, new ApiError("ROUTE_NOT_FOUND"), config.publicUrl);
  });
}

function serveFile(app: FastifyInstance, name: string, type: string): void {
  const text = readFileSync(new URL(name, import.meta.url), "utf8");
  app.get(`/docs/${name}`, (_request, reply) => reply.header("cache-control", "no-cache").type(type).send(text));
}
