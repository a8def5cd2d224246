import type { FastifyInstance } from "fastify";
import { compress } from "../../api/http/compression.ts";
import { setTag, tagAlreadyHeld } from "../../api/http/etag.ts";
import type { RouteTable } from "../../api/http/route-table.ts";
import { openApiDocument } from "../../api/public/openapi.ts";
import type { Config } from "../../config.ts";
import { eventSchemas, schemaPaths } from "./event-schemas.ts";
import { feedPath, newsFeed } from "./feed.ts";
import { readGuides } from "./guides.ts";
import { llmsText } from "./llms.ts";
import { markdownPages, wholeText } from "./markdown-pages.ts";
import { packages } from "./packages.ts";
import { postmanCollection } from "./postman.ts";
import { tagOf } from "./reference.ts";

/** What programs read: the guides as text, the collection, the clients, the schemas of events, llms.txt. */
export function serveDownloads(app: FastifyInstance, config: Config, table: RouteTable): void {
  const { publicUrl } = config;
  const guides = readGuides(publicUrl);
  const document = () => openApiDocument(table.routes, config);
  let pages: Map<string, string> | undefined;
  const markdown = () => {
    pages ??= markdownPages(guides, document());
    return pages;
  };
  for (const address of ["/docs.md", "/docs/guias.md", "/docs/errores.md", ...guides.map(({ path }) => `${path}.md`)])
    serveText(app, address, "text/markdown; charset=utf-8", () => markdown().get(address.slice(0, -3))!);
  app.get<{ Params: { slug: string } }>("/docs/referencia/:slug.md", { onSend: compress }, (request, reply) => {
    const text = markdown().get(`/docs/referencia/${request.params.slug}`);
    if (text === undefined) reply.callNotFound();
    else void reply.header("cache-control", "no-cache").type("text/markdown; charset=utf-8").send(text);
    return reply;
  });
  serveText(app, "/llms-full.txt", "text/plain; charset=utf-8", () => wholeText(markdown()));
  const news = guides.find(({ slug }) => slug === "novedades")!;
  serveText(app, feedPath, "application/atom+xml; charset=utf-8", () => newsFeed(news, publicUrl));
  serveText(app, "/llms.txt", "text/plain; charset=utf-8", () => llmsText(guides, document(), publicUrl));
  serveText(app, "/docs/postman.json", "application/json; charset=utf-8", () =>
    JSON.stringify(postmanCollection(document()), null, 2),
  );
  for (const { path, type, make } of packages) serveText(app, path, type, () => make(publicUrl));
  let schemas: Map<string, object> | undefined;
  for (const path of schemaPaths)
    serveText(app, path, "application/json; charset=utf-8", () => {
      schemas ??= eventSchemas(config, table);
      return JSON.stringify(schemas.get(path), null, 2);
    });
}

type Content = string | Buffer;

/** Created on the first request, then cached. */
function serveText(app: FastifyInstance, path: string, type: string, make: () => Content | Promise<Content>): void {
  let cached: { content: Content; tag: string } | undefined;
  app.get(path, { onSend: compress }, async (request, reply) => {
    if (!cached) {
      const content = await make();
      cached = { content, tag: tagOf(content) };
    }
    void reply.headers({ "cache-control": "no-cache", "x-content-type-options": "nosniff" });
    const held = tagAlreadyHeld(request, cached.tag);
    setTag(reply, held ?? cached.tag);
    return held === undefined ? reply.type(type).send(cached.content) : reply.code(304).send();
  });
}
