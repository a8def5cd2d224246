import { MostradorError } from "./errors.js";
const longestBackoffMs = 8_000;
const longestRetryAfterMs = 120_000;
/** Sends a request and retries it until it succeeds, or fails with an error that a retry cannot fix. */
export function sender(options) {
    const { apiKey, maxRetries = 4, timeoutMs = 60_000, backoffMs = 500 } = options;
    if (!apiKey)
        throw new TypeError("Falta apiKey: cree una clave en el portal, en Claves API.");
    const baseUrl = publicUrl(options.baseUrl ?? "http://127.0.0.1:3000");
    const fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init));
    return async (request) => {
        const url = baseUrl + request.path + queryText(request.query);
        for (let attempt = 0;; attempt++) {
            const result = await sendOnce(url, request);
            if (!(result instanceof Failure))
                return result;
            const isLast = attempt >= maxRetries || request.signal?.aborted;
            if (isLast || !canRetry(request.method, result.error))
                throw result.error;
            const backoff = Math.min(longestBackoffMs, backoffMs * 2 ** attempt);
            // Jitter: clients that failed at the same time must not all retry at the same time.
            await wait(result.retryAfterMs ?? backoff * (0.5 + Math.random() / 2), request.signal);
        }
    };
    async function sendOnce(url, request) {
        const timer = new AbortController();
        const abort = () => timer.abort(request.signal?.reason);
        if (request.signal?.aborted)
            throw request.signal.reason;
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
            if (response.status >= 300)
                return await failureOf(response);
            return request.isStream ? response : await readFully(response);
        }
        catch (cause) {
            if (request.signal?.aborted)
                throw request.signal.reason;
            return new Failure(connectionError(cause));
        }
        finally {
            clearTimeout(timeout);
            request.signal?.removeEventListener("abort", abort);
        }
    }
}
/** A response may break off or stall after its start, so it is read completely while the attempt can still be retried. */
async function readFully(response) {
    const text = await response.text();
    const { status, headers } = response;
    return { status, headers, body: null, text: async () => text };
}
/** A failed attempt, with the wait that the service asked for. */
class Failure {
    error;
    retryAfterMs;
    constructor(error, retryAfterMs) {
        this.error = error;
        this.retryAfterMs = retryAfterMs;
    }
}
export function connectionError(cause) {
    const { message, cause: inner } = cause;
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
function canRetry(method, { status, code }) {
    if (status === 429)
        return true;
    if (method === "PATCH" || method === "DELETE")
        return false;
    return status === 0 || status >= 500 || code === "IDEMPOTENCY_IN_PROGRESS";
}
async function failureOf(response) {
    const text = await response.text();
    const error = errorOf(text);
    const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
    const retryAfterMs = Number.isFinite(seconds) ? Math.min(longestRetryAfterMs, seconds * 1000) : undefined;
    return new Failure(new MostradorError({
        code: error.code ?? "INTERNAL_ERROR",
        message: error.message ?? `La respuesta fue HTTP ${response.status}.`,
        status: response.status,
        param: error.param,
        requestId: error.request_id ?? response.headers.get("request-id") ?? undefined,
        docUrl: error.doc_url,
        errors: error.errors,
        body: error,
    }), retryAfterMs);
}
/** A proxy in between may answer with something other than the service's error format. */
function errorOf(text) {
    try {
        return JSON.parse(text).error ?? {};
    }
    catch {
        return {};
    }
}
function publicUrl(baseUrl) {
    const trimmed = baseUrl.replace(/\/+$/, "");
    return trimmed.endsWith("/public/v1") ? trimmed : `${trimmed}/public/v1`;
}
function queryText(query = {}) {
    const text = new URLSearchParams(query).toString();
    return text === "" ? "" : `?${text}`;
}
export function wait(ms, signal) {
    return new Promise((resolve, reject) => {
        const stop = () => {
            clearTimeout(timer);
            reject(signal.reason);
        };
        const timer = setTimeout(() => {
            signal?.removeEventListener("abort", stop);
            resolve();
        }, ms);
        if (signal?.aborted)
            stop();
        else
            signal?.addEventListener("abort", stop, { once: true });
    });
}
