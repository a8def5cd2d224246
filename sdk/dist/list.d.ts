import type { Request, Send } from "./send.ts";
export interface Page<T> {
    object: "list";
    data: T[];
    has_more: boolean;
    next_cursor: string | null;
}
/** A list: iterate it for every record of every page, or take its pages one by one. */
export interface List<T> extends AsyncIterable<T> {
    pages(): AsyncIterable<Page<T>>;
    /** The records in an array; with `most`, no more than that many are asked for. */
    toArray(most?: number): Promise<T[]>;
}
export interface PageOptions {
    /** Records per request, 1 to 100; 100 unless told otherwise. */
    pageSize?: number | undefined;
    /** The `next_cursor` of an earlier page of the same list with the same filters. */
    startingAfter?: string | undefined;
    signal?: AbortSignal | undefined;
}
export declare function list<T>(send: Send, path: string, filters: object & PageOptions): List<T>;
export declare function readJson<T>(send: Send, request: Request): Promise<T>;
/** createdSince: new Date() → created_since=2026-…Z. What is undefined is left out. */
export declare function queryOf(filters: object): Record<string, string>;
