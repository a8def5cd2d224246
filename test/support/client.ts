import { randomUUID } from "node:crypto";
import { checkResponse } from "./check-response.ts";

/** A response as a test reads it. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers as a client would, without types
  body: any;
}

export interface ApiClient {
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  patch(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  send(method: string, path: string, headers?: Record<string, string>, rawBody?: string | Uint8Array): Promise<Answer>;
}

/** A plain HTTP client of the public API. Paths are relative to /public/v1; every response must match openapi.json. */
export function apiClient(baseUrl: string, always: Record<string, string>): ApiClient {
  async function send(
    method: string,
    path: string,
    headers: Record<string, string> = {},
    rawBody?: string | Uint8Array,
  ): Promise<Answer> {
    const response = await fetch(`${baseUrl}/public/v1${path}`, {
      method,
      headers: { ...always, ...headers },
      ...(rawBody !== undefined && { body: rawBody }),
    });
    const text = await response.text();
    checkResponse(method, path, { status: response.status, headers: response.headers, text });
    const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson && text !== "" ? JSON.parse(text) : undefined,
    };
  }
  const json = { "content-type": "application/json" };
  return {
    send,
    get: (path, headers) => send("GET", path, headers),
    post: (path, body, headers) =>
      send("POST", path, { ...json, "idempotency-key": randomUUID(), ...headers }, JSON.stringify(body)),
    patch: (path, body, headers) => send("PATCH", path, { ...json, ...headers }, JSON.stringify(body)),
  };
}
