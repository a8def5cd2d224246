import type { FastifyInstance, FastifyRequest } from "fastify";
import { publicPrefix } from "../api/public/public-api.ts";
import { ApiError, type ErrorCode } from "../lib/errors.ts";

// biome-ignore lint/suspicious/noExplicitAny: an assistant reads the API's answers as data, like any other client
export type Json = any;

export interface Answer {
  body: Json;
  etag: string | undefined;
}

/** The public API, called with the assistant's own key: its rules, limits and log hold as for every other client. */
export interface ApiCalls {
  get(path: string, query?: Record<string, string | number | boolean | undefined>): Promise<Answer>;
  post(path: string, body: object, idempotencyKey: string): Promise<Answer>;
  patch(path: string, body: object, etag: string): Promise<Answer>;
}

/** Calls that do not leave the process; they come from where the assistant's request came. */
export function apiCalls(app: FastifyInstance, publicUrl: string, request: FastifyRequest): ApiCalls {
  const { authorization = "" } = request.headers;
  const common = { host: new URL(publicUrl).host, authorization, "user-agent": "Mostrador-MCP" };
  async function send(method: "GET" | "POST" | "PATCH", url: string, headers: Record<string, string>, body?: object) {
    const response = await app.inject({
      method,
      url: publicPrefix + url,
      remoteAddress: request.ip,
      headers: { ...common, ...headers },
      ...(body && { payload: body }),
    });
    const parsed: Json = response.body === "" ? undefined : response.json();
    if (response.statusCode >= 400) throw refusalOf(parsed, response.statusCode, response.headers["retry-after"]);
    return { body: parsed, etag: response.headers.etag };
  }
  return {
    get(path, query = {}) {
      const given = new URLSearchParams();
      for (const [name, value] of Object.entries(query)) if (value !== undefined) given.set(name, String(value));
      const text = given.toString();
      return send("GET", text === "" ? path : `${path}?${text}`, {});
    },
    post: (path, body, key) => send("POST", path, { "idempotency-key": key }, body),
    patch: (path, body, etag) => send("PATCH", path, { "if-match": etag }, body),
  };
}

function refusalOf(body: Json, status: number, retryAfter: string | string[] | number | undefined): ApiError {
  const { code, message, param, request_id: _id, doc_url: _url, ...extra } = body.error;
  const headers = retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
  return new ApiError(code as ErrorCode, { message, param, status, extra, headers });
}
