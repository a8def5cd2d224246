import type { ErrorCode } from "./contract.ts";
import { type FieldProblem, MostradorError } from "./errors.ts";

export interface Options {
  /** `mst_test_…` or `mst_live_…`, from the account portal. */
  apiKey: string;
  /** Where the service is, for example `https://api.example.com`; `/public/v1` is added. */
  baseUrl?: string;
  /** How often a request that may be repeated is repeated: 4 unless told otherwise. */
  maxRetries?: number;
  /** How long one attempt may take, an export's only to begin its answer: 60 s unless told otherwise. */
  timeoutMs?: number;
  /** The first wait between attempts; it doubles each time, up to 8 s. The service's own Retry-After comes first. */
  backoffMs?: number;
  /** Another fetch, for a proxy for instance. */
  fetch?: FetchLike;
}

/** As much of fetch as is used here, so that no environment's own types are needed. */
export type FetchLike = (
  url: string,
  init: { method: string; headers: Record<string, string>; body?: string; signal: AbortSignal },
) => Promise<ResponseLike>;

export interface ResponseLike {
  status: number;
  headers: { get(name: string): string | null };
  text(): Promise<string>;
  readonly body: ReadableStream<Uint8Array> | null;
}

export interface Request {
  method: "GET" | "POST" | "PATCH";
  path: string;
  query?: Record<string, string>;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
  /** Its answer is read bit by bit, by who asked for it. Any other is whole before it is handed on. */
  isStream?: boolean;
}

export type Send = (request: Request) => Promise<ResponseLike>;

const longestBackoffMs = 8_000;
const longestRetryAfterMs = 120_000;

/** Sends a request until it is answered for good: a success, or an error that trying again would not mend. */
export function sender(options: Options): Send {
  const { apiKey, maxRetries = 4, timeoutMs = 60_000, backoffMs = 500 } = options;
  if (!apiKey) throw new TypeError("Falta apiKey: cree una clave en el portal, en Claves API.");
  const baseUrl = publicUrl(options.baseUrl ?? "http://127.0.0.1:3000");
  const fetch: FetchLike = options.fetch ?? ((url, init) => globalThis.fetch(url, init));

  return async (request) => {
    const url = baseUrl + request.path + queryText(request.query);
    for (let attempt = 0; ; attempt++) {
      const outcome = await once(url, request);
      if (!(outcome instanceof Failure)) return outcome;
      const isLast = attempt >= maxRetries || request.signal?.aborted;
      if (isLast || !mayRepeat(request.method, outcome.error)) throw outcome.error;
      const backoff = Math.min(longestBackoffMs, backoffMs * 2 ** attempt);
      // Half of it at random: clients that failed together must not come back together.
      await wait(outcome.retryAfterMs ?? backoff * (0.5 + Math.random() / 2), request.signal);
    }
  };

  async function once(url: string, request: Request): Promise<ResponseLike | Failure> {
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
      });
      if (response.status >= 300) return await refusal(response);
      return request.isStream ? response : await whole(response);
    } catch (cause) {
      if (request.signal?.aborted) throw request.signal.reason;
      return new Failure(connectionError(cause));
    } finally {
      clearTimeout(timeout);
      request.signal?.removeEventListener("abort", abort);
    }
  }
}

/** An answer may be cut after its beginning, or stop there: it is read to its end while the attempt can still be repeated. */
async function whole(response: ResponseLike): Promise<ResponseLike> {
  const text = await response.text();
  const { status, headers } = response;
  return { status, headers, body: null, text: async () => text };
}

/** A request that failed, and how long the service asked to be left alone. */
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
 * A GET changes nothing and a POST carries its idempotency key, so both may be repeated after any passing failure. A
 * PATCH may be repeated only when it surely did nothing.
 */
function mayRepeat(method: string, { status, code }: MostradorError): boolean {
  if (status === 429) return true;
  if (method === "PATCH") return false;
  return status === 0 || status >= 500 || code === "IDEMPOTENCY_IN_PROGRESS";
}

async function refusal(response: ResponseLike): Promise<Failure> {
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

/** A proxy on the way may answer with something that is no error of ours. */
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
