import { createHash } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { compress } from "../../api/http/compression.ts";
import { setTag, tagAlreadyHeld } from "../../api/http/etag.ts";
import type { RouteTable } from "../../api/http/route-table.ts";
import { openApiDocument } from "../../api/public/openapi.ts";
import { publicPrefix } from "../../api/public/public-api.ts";
import type { Config } from "../../config.ts";

export const documentPath = `${publicPrefix}/openapi.json`;

/** The OpenAPI document: open to browsers and without a key. Generated from the routes on the first request. */
export function serveDocument(app: FastifyInstance, config: Config, table: RouteTable): void {
  let cached: { text: string; tag: string } | undefined;
  app.get(documentPath, { onSend: compress }, (request, reply) => {
    cached ??= makeDocument(config, table);
    void reply.header("request-id", request.id).header("cache-control", "no-cache");
    const held = tagAlreadyHeld(request, cached.tag);
    setTag(reply, held ?? cached.tag);
    if (held !== undefined) return reply.code(304).send();
    return reply.type("application/json; charset=utf-8").send(cached.text);
  });
}

function makeDocument(config: Config, table: RouteTable): { text: string; tag: string } {
  const text = JSON.stringify(openApiDocument(table.routes, config));
  return { text, tag: tagOf(text) };
}

export function tagOf(content: string | Buffer): string {
  return `"${createHash("sha1").update(content).digest("base64url")}"`;
}
