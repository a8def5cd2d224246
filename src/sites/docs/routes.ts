import { readFileSync } from "node:fs";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { compress } from "../../api/http/compression.ts";
import { sendError } from "../../api/http/error-handler.ts";
import type { RouteTable } from "../../api/http/route-table.ts";
import type { Deps } from "../../deps.ts";
import { ApiError } from "../../lib/errors.ts";
import { typefaceCss, typefaceRoutes } from "../typeface/routes.ts";
import { serveDownloads } from "./downloads.ts";
import { downloadsPath } from "./downloads-path.ts";
import { sendPage } from "./layout.ts";
import { notFoundPage } from "./not-found-page.ts";
import { serveDocument } from "./reference.ts";
import { developerSite } from "./site.ts";
import { tryRoute } from "./try-route.ts";

/** The developer site: the guides, the reference, the errors, the search, and the page for unknown addresses. */
export function docsRoutes(
  app: FastifyInstance,
  { config }: Deps,
  table: RouteTable,
  /** Answers a person at an unknown address that is none of the developers'. */
  ownersPage?: (request: FastifyRequest, reply: FastifyReply) => FastifyReply | undefined,
): void {
  const site = developerSite(config, table);
  serveDocument(app, config, table);
  app.get("/docs/", (_request, reply) => reply.redirect("/docs", 308));
  for (const address of [
    "/docs",
    "/docs/guias",
    "/docs/errores",
    downloadsPath,
    "/docs/guia/:slug",
    operationsAddress,
  ]) {
    app.get(address, { onSend: compress }, (request, reply) => {
      const page = site().page(request.url.split("?", 1)[0]!);
      if (page !== undefined) return sendPage(reply, page, { asks: address === operationsAddress });
      reply.callNotFound();
      return reply;
    });
  }
  app.get<{ Querystring: { q?: string | string[] } }>("/docs/buscar", (request, reply) =>
    sendPage(reply, site().search([request.query.q ?? ""].flat()[0]!.slice(0, 100))),
  );
  serveDownloads(app, config, table);
  tryRoute(app, config, table);
  typefaceRoutes(app);
  serveText(app, "style.css", "text/css; charset=utf-8", `${typefaceCss}${ownFile("style.css")}`);
  serveText(app, "site.js", "text/javascript; charset=utf-8", ownFile("site.js"));
  serveText(app, "try.js", "text/javascript; charset=utf-8", ownFile("try.js"));
  serveText(app, "language.js", "text/javascript; charset=utf-8", ownFile("language.js"));
  serveText(app, "icon.svg", "image/svg+xml", ownFile("icon.svg"));
  app.setNotFoundHandler((request, reply) => {
    if (request.headers.accept?.includes("text/html"))
      return ownersPage?.(request, reply) ?? sendPage(reply.code(404), notFoundPage());
    return sendError(request, reply, new ApiError("ROUTE_NOT_FOUND"), config.publicUrl);
  });
}

const operationsAddress = "/docs/referencia/:slug";
const ownFile = (name: string) => readFileSync(new URL(name, import.meta.url), "utf8");

function serveText(app: FastifyInstance, name: string, type: string, text: string): void {
  app.get(`/docs/${name}`, (_request, reply) => reply.header("cache-control", "no-cache").type(type).send(text));
}
