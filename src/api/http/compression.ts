import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import { encodedTag } from "./etag.ts";

const gzipAsync = promisify(gzip);
const brotliAsync = promisify(brotliCompress);

/** Smaller responses fit in one packet either way. */
const minBytes = 1024;

// Brotli's default level is meant for files that are compressed once.
const compressors = {
  br: (text: string) => brotliAsync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (text: string) => gzipAsync(text, { level: 5 }),
};

/** An onSend hook that compresses text responses if the client accepts it. */
export function compress(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: Error | null, payload?: unknown) => void,
): void {
  void reply.header("vary", "Accept-Encoding");
  if (typeof payload !== "string" || payload.length < minBytes) {
    done(null, payload);
    return;
  }
  const encoding = chooseEncoding(request.headers["accept-encoding"]);
  if (encoding === undefined) {
    done(null, payload);
    return;
  }
  compressors[encoding](payload).then(
    (bytes) => {
      const tag = reply.getHeader("etag");
      if (typeof tag === "string") void reply.header("etag", encodedTag(tag, encoding));
      void reply.header("content-encoding", encoding).header("content-length", bytes.length);
      done(null, bytes);
    },
    (error: Error) => done(error),
  );
}

/** The encoding with the highest weight; brotli among equals, because it is smaller. Respects `identity` and q=0. */
export function chooseEncoding<Offered extends keyof typeof compressors = keyof typeof compressors>(
  header: string | undefined,
  offered: readonly Offered[] = Object.keys(compressors) as Offered[],
): Offered | undefined {
  if (header === undefined) return undefined;
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(",")) {
    const [name, ...parameters] = part.split(";").map((piece) => piece.trim());
    const q = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
    weights.set(name!, q === undefined ? 1 : Number(q) || 0);
  }
  const weightOf = (name: string) => weights.get(name) ?? weights.get("*") ?? 0;
  const best = offered.reduce((a, b) => (weightOf(b) > weightOf(a) ? b : a));
  return weightOf(best) > 0 && weightOf(best) >= (weights.get("identity") ?? 0) ? best : undefined;
}
