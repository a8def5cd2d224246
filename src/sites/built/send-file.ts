import type { FastifyReply, FastifyRequest } from "fastify";
import { chooseEncoding } from "../../api/http/compression.ts";
import type { SiteFile } from "./files.ts";

/** For names that contain the hash of their content. */
export const immutable = "public, max-age=31536000, immutable";

export function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: SiteFile | undefined,
  caching: string,
): FastifyReply {
  if (!file) {
    reply.callNotFound();
    return reply;
  }
  void reply.headers({
    "cache-control": caching,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    vary: "Accept-Encoding",
    etag: file.tag,
  });
  if (request.headers["if-none-match"]?.includes(file.tag)) return reply.code(304).send();
  const encoding = chooseEncoding(request.headers["accept-encoding"]);
  const compressed = encoding && file[encoding];
  if (compressed) void reply.header("content-encoding", encoding);
  return reply.type(file.type).send(compressed ?? file.plain);
}
