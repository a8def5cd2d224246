import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { ApiError } from "../lib/errors.ts";

/** Raised when stored bodies are rendered anew without a change of their own, so that no cache keeps the old ones. */
const rendering = "1";

/** A record's tag. Its seq moves with every change; `state` covers what is computed when it is read. */
export function recordTag(seq: string | number, state = ""): string {
  return `"${rendering}-${seq}${state}"`;
}

/** A page's tag: which records, in which versions, and whether more follow. */
export function listTag(parts: readonly string[]): string {
  return `"${rendering}-${createHash("sha1").update(parts.join(" ")).digest("base64url")}"`;
}

/** A compressed answer has other bytes, hence a strong tag of its own; comparing, both mean the same version. */
export function encodedTag(tag: string, encoding: string): string {
  return `${tag.slice(0, -1)}:${encoding}"`;
}

function tagsOf(header: string): string[] {
  return header.split(",").map((tag) => tag.trim().replace(/:(gzip|br)"$/, '"'));
}

export function isNotModified(request: FastifyRequest, tag: string): boolean {
  const header = request.headers["if-none-match"];
  return header !== undefined && tagsOf(header).some((one) => one === "*" || one.replace(/^W\//, "") === tag);
}

/** PATCH with If-Match changes only the version the client has seen. */
export function checkIfMatch(request: FastifyRequest, tag: string): void {
  const header = request.headers["if-match"];
  if (header !== undefined && !tagsOf(header).some((one) => one === "*" || one === tag)) throw new ApiError("CONFLICT");
}

export function setTag(reply: FastifyReply, tag: string): void {
  void reply.header("etag", tag);
}
