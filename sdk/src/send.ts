import type { ErrorCode } from "./contract.ts";
import { type FieldProblem, MostradorError } from "./errors.ts";

export interface Options {
  /** `mst_test_…` or `mst_live_…`, from the account portal. */
  apiKey: string;
  /** The address of the service, for example `https://api.example.com`; `/public/v1` is added. */
  baseUrl?: string;
  /** How often a request is retried, if it can be; 4 by default. */
  maxRetries?: number;
  /** How long one attempt may take, or for an export until its response starts; 60 s by default. */
  timeoutMs?: number;
  /** The first wait between attempts; it doubles each time, up to 8 s. A Retry-After header takes precedence. */
  backoffMs?: number;
  /** A different fetch, for example one that uses a proxy. */
  fetch?: FetchLike;
}

/** The part of fetch that is used here, so that the types of no particular environment are needed. */
export type FetchLike = (
  url: string,
  init: { method: string; headers: Record<string, string>; body?: string; signal: AbortSignal; redirect: "manual" },
) => Promise<ResponseLike>;

export interface ResponseLike {
  status: number;
  headers: { get(name: string): string | null };
  text(): Promise<string>;
  readonly body: ReadableStream<Uint8Array> | null;
}

export interface Request {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  path: string;
  query?: Record<string, string>;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
  /** The caller reads the response as a stream. Other responses are read completely before they are returned. */
  isStream?: boolean;
}

export type Send = (request: Request) => Promise<ResponseLike>;

const longestBackoffMs = 8_000;
const longestRetryAfterMs = 120_000;

/** Sends a request and retries it until it succeeds, or fails with an error that a retry cannot fix. */
export function sender(options: Options): Send {
  const { apiKey, maxRetries = 4, timeoutMs = 60_000, backoffMs = 500 } = options;
  if (!apiKey) throw new TypeError("Falta apiKey: cree una clave en el portal, en Claves API.");
  const baseUrl = publicUrl(options.baseUrl ?? "http://127.0.0.1:3000");
  const fetch: FetchLike = options.fetch ?? ((url, init) => globalThis.fetch(url, init));

  return async (request) => {
    const url = baseUrl + request.path + queryText(request.query);
    for (let attempt = 0; ; attempt++) {
      const result = await sendOnce(url, request);
      if (!(result instanceof Failure)) return result;
      const isLast = attempt >= maxRetries || request.signal?.aborted;
      if (isLast || !canRetry(request.method, result.error)) throw result.error;
      const backoff = Math.min(longestBackoffMs, backoffMs * 2 ** attempt);
      // Jitter: clients that failed at the same time must not all retry at the same time.
      await wait(result.retryAfterMs ?? backoff * (0.5 + Math.random() / 2), request.signal);
    }
  };

  async function sendOnce(url: string, request: Request): Promise<ResponseLike | Failure> {
    const timer = new AbortController();
    const abort = () => timer.abort(request.signal?.reason);
    if (request.signal?.aborted) throw request.signal.reason;
    request.signal?.addEventListener("abort", abort, { once: true });
    const timeout = setTimeout(() => timer.abort(new Error(`sin respuesta en ${timeoutMs} ms`)), timeoutMs);
    try {
      const response = await fetch(url, {
        method: request.method,
        headers: {
          authorization: `Bearer ${apiKey}`,
          accept: "application/json, application/x-ndjson",
          ...(request.body !== undefined && { "content-type": "application/json" }),
          ...request.headers,
        },
        ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
        signal: timer.signal,
        // A redirected POST would become a GET, and its answer pass for what was created.
        redirect: "manual",
      });
      if (response.status >= 300) return await failureOf(response);
      return request.isStream ? response : await readFully(response);
    } catch (cause) {
      if (request.signal?.aborted) throw request.signal.reason;
      return new Failure(connectionError(cause));
    } finally {
      clearTimeout(timeout);
      request.signal?.removeEventListener("abort", abort);
    }
  }
}

/** A response may break off or stall after its start, so it is read completely while the attempt can still be retried. */
async function readFully(response: ResponseLike): Promise<ResponseLike> {
  const text = await response.text();
  const { status, headers } = response;
  return { status, headers, body: null, text: async () => text };
}

/** A failed attempt, with the wait that the service asked for. */
class Failure {
  readonly error: MostradorError;
  readonly retryAfterMs: number | undefined;
  constructor(error: MostradorError, retryAfterMs?: number) {
    this.error = error;
    this.retryAfterMs = retryAfterMs;
  }
}

export function connectionError(cause: unknown): MostradorError {
  const { message, cause: inner } = cause as { message?: string; cause?: { message?: string } };
  return new MostradorError({
    code: "CONNECTION_ERROR",
    status: 0,
    message: `No se pudo hablar con Mostrador: ${inner?.message || message || "error de red"}.`,
    cause,
  });
}

/**
 * A GET changes nothing and a POST has an idempotency key, so both can be retried after any temporary failure. A PATCH can
 * be retried only when it certainly had no effect.
 */
function canRetry(method: string, { status, code }: MostradorError): boolean {
  if (status === 429) return true;
  if (method === "PATCH" || method === "DELETE") return false;
  return status === 0 || status >= 500 || code === "IDEMPOTENCY_IN_PROGRESS";
}

async function failureOf(response: ResponseLike): Promise<Failure> {
  const text = await response.text();
  const error = errorOf(text);
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  const retryAfterMs = Number.isFinite(seconds) ? Math.min(longestRetryAfterMs, seconds * 1000) : undefined;
  return new Failure(
    new MostradorError({
      code: (error.code as ErrorCode | undefined) ?? "INTERNAL_ERROR",
      message: (error.message as string | undefined) ?? `La respuesta fue HTTP ${response.status}.`,
      status: response.status,
      param: error.param as string | undefined,
      requestId: (error.request_id as string | undefined) ?? response.headers.get("request-id") ?? undefined,
      docUrl: error.doc_url as string | undefined,
      errors: error.errors as FieldProblem[] | undefined,
      body: error,
    }),
    retryAfterMs,
  );
}

/** A proxy in between may answer with something other than the service's error format. */
function errorOf(text: string): Record<string, unknown> {
  try {
    return (JSON.parse(text) as { error?: Record<string, unknown> }).error ?? {};
  } catch {
    return {};
  }
}

function publicUrl(baseUrl: string): string {
  const trimmed = baseUrl.replace(/\/+$/, "");
  return trimmed.endsWith("/public/v1") ? trimmed : `${trimmed}/public/v1`;
}

function queryText(query: Record<string, string> = {}): string {
  const text = new URLSearchParams(query).toString();
  return text === "" ? "" : `?${text}`;
}

export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal!.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}
