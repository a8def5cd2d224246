import { createHash } from "node:crypto";
import type { FastifyInstance } from "fastify";
import type { Config } from "../config.ts";
import { compress } from "../http/compression.ts";
import { setTag, tagAlreadyHeld } from "../http/etag.ts";
import { openApiDocument } from "../http/openapi.ts";
import { publicPrefix } from "../http/public-api.ts";
import type { RouteTable } from "../http/route-table.ts";

export const documentPath = `${publicPrefix}/openapi.json`;

/** The API's own description: no key, browsers welcome. Made on the first request, from the routes as they stand. */
export function serveDocument(app: FastifyInstance, config: Config, table: RouteTable): void {
  let made: { text: string; tag: string } | undefined;
  app.get(documentPath, { onSend: compress }, (request, reply) => {
    made ??= makeDocument(config, table);
    void reply.header("request-id", request.id).header("cache-control", "no-cache");
    const held = tagAlreadyHeld(request, made.tag);
    setTag(reply, held ?? made.tag);
    if (held !== undefined) return reply.code(304).send();
    return reply.type("application/json; charset=utf-8").send(made.text);
  });
}

function makeDocument(config: Config, table: RouteTable): { text: string; tag: string } {
  const text = JSON.stringify(openApiDocument(table.routes, config));
  return { text, tag: `"${createHash("sha1").update(text).digest("base64url")}"` };
}
