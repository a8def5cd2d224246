import type { Instant } from "./contract.ts";
import { type ExportOptions } from "./export.ts";
import { type List, type PageOptions } from "./list.ts";
import type { Send } from "./send.ts";
import { type Changes } from "./sync.ts";
interface GetOptions {
    /** Also return the record if it was deleted, where the resource allows deletion. */
    includeDeleted?: boolean | undefined;
}
export interface CreateOptions {
    /**
     * One value per operation: repeating it has no further effect. By default one is generated for each call; pass your own,
     * such as an order number, to be safe across restarts of your program too.
     */
    idempotencyKey?: string | undefined;
}
export interface UpdateOptions {
    /** The ETag of the version you know. If the record has changed since, the update fails with CONFLICT. */
    ifMatch?: string | undefined;
}
export interface Readable<T, Filters> {
    get(id: string, options?: GetOptions): Promise<T>;
    /** Newest first. */
    list(filters?: Filters & PageOptions): List<T>;
    /** Every change since an instant; none is missed. */
    sync(options?: Omit<Filters, "updatedSince"> & {
        updatedSince?: Instant | undefined;
    } & PageOptions): Changes<T>;
    /** Everything in one stream, which resumes by itself when the connection breaks. */
    export(filters?: Filters & ExportOptions): AsyncIterable<T>;
}
/** What has no record of its own to read, sync or export. */
export interface Listable<T, Filters> {
    list(filters?: Filters & PageOptions): List<T>;
}
export interface Creatable<T, New> {
    create(fields: New, options?: CreateOptions): Promise<T>;
}
export interface Batchable<Results, New> {
    /** Creates up to 100 in one request; each has its own result, in the same order. */
    createBatch(items: readonly New[], options?: CreateOptions): Promise<Results>;
}
export interface Updatable<T, ChangesOf> {
    update(id: string, changes: ChangesOf, options?: UpdateOptions): Promise<T>;
}
export interface Cancellable<T, Cancel> {
    cancel(id: string, fields?: Cancel, options?: CreateOptions): Promise<T>;
}
export interface Previewable<Preview, New> {
    /** Computes what creating it would, and stores nothing. */
    preview(fields: New): Promise<Preview>;
}
export interface Receivable<T, Receipt> {
    /** Goods came, go back, or had been written down wrongly. */
    receive(id: string, fields?: Receipt, options?: CreateOptions): Promise<T>;
}
export interface Place {
    path: string;
    /** Its name under /exports. */
    name: string;
    /** A sync must include deleted records, so that copies can delete them too. */
    deletable?: boolean;
}
export declare function readable<T extends {
    id: string;
    updated_at: string;
}, Filters>(send: Send, { path, name, deletable }: Place): Readable<T, Filters>;
export declare function listable<T, Filters>(send: Send, { path }: Place): Listable<T, Filters>;
export declare function creatable<T, New>(send: Send, { path }: Place): Creatable<T, New>;
export declare function batchable<Results, New>(send: Send, { path }: Place): Batchable<Results, New>;
export declare function postOnce<T>(send: Send, path: string, body: unknown, { idempotencyKey }?: CreateOptions): Promise<T>;
export declare function updatable<T, ChangesOf>(send: Send, { path }: Place): Updatable<T, ChangesOf>;
export declare function pathOf(path: string, id: string): string;
export declare function cancellable<T, Cancel>(send: Send, { path }: Place): Cancellable<T, Cancel>;
export declare function previewable<Preview, New>(send: Send, { path }: Place): Previewable<Preview, New>;
export declare function receivable<T, Receipt>(send: Send, { path }: Place): Receivable<T, Receipt>;
export {};
