import type { Request, Send } from "./send.ts";
export interface Page<T> {
    object: "list";
    data: T[];
    has_more: boolean;
    next_cursor: string | null;
}
/** A list. Iterate over it for every record of every page, or over its pages. */
export interface List<T> extends AsyncIterable<T> {
    pages(): AsyncIterable<Page<T>>;
    /** The records as an array, at most `most` of them. */
    toArray(most?: number): Promise<T[]>;
}
export interface PageOptions {
    /** Records per request, 1 to 100; 100 by default. */
    pageSize?: number | undefined;
    /** The `next_cursor` of an earlier page of the same list with the same filters. */
    startingAfter?: string | undefined;
    signal?: AbortSignal | undefined;
}
export declare function list<T>(send: Send, path: string, filters: object & PageOptions): List<T>;
export declare function readJson<T>(send: Send, request: Request): Promise<T>;
/** `createdSince: new Date()` becomes `created_since=2026-…Z`. Undefined values are left out. */
export declare function queryOf(filters: object): Record<string, string>;
