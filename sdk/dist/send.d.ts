import { MostradorError } from "./errors.ts";
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
export type FetchLike = (url: string, init: {
    method: string;
    headers: Record<string, string>;
    body?: string;
    signal: AbortSignal;
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
/** Sends a request until it is answered for good: a success, or an error that trying again would not mend. */
export declare function sender(options: Options): Send;
export declare function connectionError(cause: unknown): MostradorError;
export declare function wait(ms: number, signal?: AbortSignal): Promise<void>;
