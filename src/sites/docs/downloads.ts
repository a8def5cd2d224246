import type { FastifyInstance } from "fastify";
import { compress } from "../../api/http/compression.ts";
import { setTag, tagAlreadyHeld } from "../../api/http/etag.ts";
import type { RouteTable } from "../../api/http/route-table.ts";
import { openApiDocument } from "../../api/public/openapi.ts";
import type { Config } from "../../config.ts";
import { eventSchemas, schemaPaths } from "./event-schemas.ts";
import { readGuides } from "./guides.ts";
import { llmsText } from "./llms.ts";
import { postmanCollection } from "./postman.ts";
import { tagOf } from "./reference.ts";
import { sdkPackage } from "./sdk-package.ts";

/** What programs read: the guides as text, the collection, the client, the schemas of events, llms.txt. */
export function serveDownloads(app: FastifyInstance, config: Config, table: RouteTable): void {
  const { publicUrl } = config;
  const guides = readGuides(publicUrl);
  for (const { path, source } of guides) serveText(app, `${path}.md`, "text/markdown; charset=utf-8", () => source);
  const document = () => openApiDocument(table.routes, config);
  serveText(app, "/llms.txt", "text/plain; charset=utf-8", () => llmsText(guides, document(), publicUrl));
  serveText(app, "/docs/postman.json", "application/json; charset=utf-8", () =>
    JSON.stringify(postmanCollection(document()), null, 2),
  );
  serveText(app, "/docs/mostrador-sdk.tgz", "application/gzip", sdkPackage);
  let schemas: Map<string, object> | undefined;
  for (const path of schemaPaths)
    serveText(app, path, "application/json; charset=utf-8", () => {
      schemas ??= eventSchemas(config, table);
      return JSON.stringify(schemas.get(path), null, 2);
    });
}

/** Created on the first request, then cached. */
function serveText(app: FastifyInstance, path: string, type: string, make: () => string | Buffer): void {
  let cached: { content: string | Buffer; tag: string } | undefined;
  app.get(path, { onSend: compress }, (request, reply) => {
    if (!cached) {
      const content = make();
      cached = { content, tag: tagOf(content) };
    }
    void reply.headers({ "cache-control": "no-cache", "x-content-type-options": "nosniff" });
    const held = tagAlreadyHeld(request, cached.tag);
    setTag(reply, held ?? cached.tag);
    return held === undefined ? reply.type(type).send(cached.content) : reply.code(304).send();
  });
}
