import { hash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { ApiError } from "../../lib/errors.ts";

/** Increment when stored bodies are rewritten without a new seq, so that caches drop the old ones. */
const rendering = "1";

/** A record's tag. Its seq changes with every write; `state` covers what is computed on reading. */
export function recordTag(seq: string | number, state = ""): string {
  return `"${rendering}-${seq}${state}"`;
}

/** A page's tag: its records, their versions, and whether more follow. */
export function listTag(parts: readonly string[]): string {
  return `"${rendering}-${hash("sha1", parts.join(" "), "base64url")}"`;
}

/** A compressed response has different bytes and so its own strong tag; comparisons treat both as one version. */
export function encodedTag(tag: string, encoding: string): string {
  return `${tag.slice(0, -1)}:${encoding}"`;
}

function tagsOf(header: string): string[] {
  return header.split(",").map((tag) => tag.trim());
}

function withoutEncoding(tag: string): string {
  return tag.replace(/:(gzip|br)"$/, '"');
}

/** If the client already has this version: its tag, in the encoding it has. */
export function tagAlreadyHeld(request: FastifyRequest, tag: string): string | undefined {
  const header = request.headers["if-none-match"];
  if (header === undefined) return undefined;
  const held = tagsOf(header).find((one) => one === "*" || withoutEncoding(one.replace(/^W\//, "")) === tag);
  return held === "*" ? tag : held?.replace(/^W\//, "");
}

/** PATCH with If-Match changes only the version the client has seen. */
export function checkIfMatch(request: FastifyRequest, tag: string): void {
  const header = request.headers["if-match"];
  if (header === undefined) return;
  if (!tagsOf(header).some((one) => one === "*" || withoutEncoding(one) === tag)) throw new ApiError("CONFLICT");
}

export function setTag(reply: FastifyReply, tag: string): void {
  void reply.header("etag", tag);
}
