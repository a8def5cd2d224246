import { MostradorError } from "./errors.ts";
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
export type FetchLike = (url: string, init: {
    method: string;
    headers: Record<string, string>;
    body?: string;
    signal: AbortSignal;
    redirect: "manual";
}) => Promise<ResponseLike>;
export interface ResponseLike {
    status: number;
    headers: {
        get(name: string): string | null;
    };
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
/** Sends a request and retries it until it succeeds, or fails with an error that a retry cannot fix. */
export declare function sender(options: Options): Send;
export declare function connectionError(cause: unknown): MostradorError;
export declare function wait(ms: number, signal?: AbortSignal): Promise<void>;
