import { isUtf8 } from "node:buffer";
import type { FastifyInstance } from "fastify";
import { ApiError } from "../../lib/errors.ts";
import { mayHoldUnstorable } from "../../lib/json.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The body's text has escapes or characters that may mean control characters or half a surrogate pair. */
    mayHoldUnstorable: boolean;
  }
}

/** Parses like the public API, except that text that may not be stored affects only its record, not the whole push. */
export function readUploads(app: FastifyInstance): void {
  app.decorateRequest("mayHoldUnstorable", false);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(/^application\/json\s*(;.*)?$/i, { parseAs: "buffer" }, (request, raw, done) => {
    const bytes = raw as Buffer;
    // A request without a body may still have a content type.
    if (bytes.length === 0) {
      done(null, undefined);
      return;
    }
    try {
      if (!isUtf8(bytes)) throw new ApiError("INVALID_JSON");
      const text = bytes.toString("utf8");
      request.mayHoldUnstorable = mayHoldUnstorable(text);
      done(null, JSON.parse(text));
    } catch (cause) {
      done(cause instanceof ApiError ? cause : new ApiError("INVALID_JSON", { cause }));
    }
  });
  app.addContentTypeParser("*", (_request, _payload, done) => done(new ApiError("INVALID_JSON")));
}
