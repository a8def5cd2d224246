import { type Send } from "./send.ts";
export interface ExportOptions {
    /** The `id` of the last record of an interrupted export. */
    startingAfter?: string | undefined;
    signal?: AbortSignal | undefined;
}
/** All records in one stream. When the connection breaks, it resumes after the last complete line. */
export declare function exportAll<T extends {
    id: string;
}>(send: Send, name: string, { startingAfter, signal, ...filters }: object & ExportOptions): AsyncGenerator<T>;
