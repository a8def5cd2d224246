import { isUtf8 } from "node:buffer";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { ApiError, validationError } from "../../lib/errors.ts";
import { findUnstorable, mayHoldUnstorable } from "../../lib/json.ts";

/** Only JSON in UTF-8 is accepted. Any other content type is INVALID_JSON, unless the body is too large. */
export function readJsonBodies(app: FastifyInstance, bodyLimit: number): void {
  app.removeAllContentTypeParsers();
  const json = /^application\/json\s*(;.*)?$/i;
  app.addContentTypeParser(json, { parseAs: "buffer", bodyLimit }, (_request, raw, done) => {
    try {
      // An empty body is none: whether one is needed is for its route to say.
      done(null, raw.length === 0 ? undefined : parseJson(raw as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
  app.addContentTypeParser("*", { parseAs: "buffer", bodyLimit }, (_request, _raw, done) => {
    done(new ApiError("INVALID_JSON"));
  });
}

/** A POST or PATCH without a body reaches no parser. */
export function requireBody(request: FastifyRequest): void {
  if (request.body !== undefined || request.method === "GET" || request.method === "HEAD") return;
  if (request.routeOptions.schema?.body === undefined) return;
  if (!request.routeOptions.config.mayLackBody) throw new ApiError("INVALID_JSON");
  request.body = {};
}

export function parseJson(raw: Buffer): unknown {
  if (!isUtf8(raw)) throw new ApiError("INVALID_JSON");
  const text = raw.toString("utf8");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new ApiError("INVALID_JSON", { cause });
  }
  const unstorable = mayHoldUnstorable(text) ? findUnstorable(value) : undefined;
  if (unstorable !== undefined) {
    throw validationError([
      {
        param: unstorable,
        message: `\`${unstorable}\` contiene caracteres que no se pueden guardar (NUL, otros caracteres de control o sustitutos sueltos). Quítelos.`,
      },
    ]);
  }
  return value;
}
