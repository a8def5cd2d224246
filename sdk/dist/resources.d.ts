import type { Instant } from "./contract.ts";
import { type ExportOptions } from "./export.ts";
import { type List, type PageOptions } from "./list.ts";
import type { Send } from "./send.ts";
import { type Changes } from "./sync.ts";
interface GetOptions {
    /** Also find it when it was deleted, where the resource can be. */
    includeDeleted?: boolean | undefined;
}
export interface CreateOptions {
    /**
     * One value per operation, so that repeating it does it once. One is made when you give none; give your own (an order
     * number, say) to be safe over restarts of your program too.
     */
    idempotencyKey?: string | undefined;
}
export interface UpdateOptions {
    /** The ETag of the version you have seen: any other version is refused with CONFLICT. */
    ifMatch?: string | undefined;
}
export interface Readable<T, Filters> {
    get(id: string, options?: GetOptions): Promise<T>;
    /** Newest first. */
    list(filters?: Filters & PageOptions): List<T>;
    /** What changed since an instant, without missing anything. */
    sync(options?: Omit<Filters, "updatedSince"> & {
        updatedSince?: Instant | undefined;
    } & PageOptions): Changes<T>;
    /** Everything in one stream, resumed by itself when it is cut. */
    export(filters?: Filters & ExportOptions): AsyncIterable<T>;
}
export interface Creatable<T, New> {
    create(fields: New, options?: CreateOptions): Promise<T>;
}
export interface Updatable<T, ChangesOf> {
    update(id: string, changes: ChangesOf, options?: UpdateOptions): Promise<T>;
}
export interface Place {
    path: string;
    /** The name of its export. */
    name: string;
    /** Deleted records stay readable: a copy must hear of them. */
    deletable?: boolean;
}
export declare function readable<T extends {
    id: string;
    updated_at: string;
}, Filters>(send: Send, { path, name, deletable }: Place): Readable<T, Filters>;
export declare function creatable<T, New>(send: Send, { path }: Place): Creatable<T, New>;
export declare function updatable<T, ChangesOf>(send: Send, { path }: Place): Updatable<T, ChangesOf>;
export {};
