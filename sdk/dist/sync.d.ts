import type { Instant } from "./contract.ts";
import { type PageOptions } from "./list.ts";
import type { Send } from "./send.ts";
/** The changes since an instant. After the last one, `updatedSince` is where the next sync starts. */
export interface Changes<T> extends AsyncIterable<T> {
    /**
     * Save it when the loop has ended and pass it to the next sync. It changes only then: records do not arrive in the order
     * in which they changed, so an unfinished loop may have missed some.
     */
    readonly updatedSince: string;
}
/**
 * Every record that changed since an instant, at least once. All pages show the state at the time of the first one, and the
 * boundary is inclusive: the next sync returns later changes, and records that changed exactly at the boundary again. Store
 * records by `id`, replacing the previous version.
 */
export declare function sync<T extends {
    updated_at: string;
}>(send: Send, path: string, { updatedSince, ...filters }: {
    updatedSince?: Instant | undefined;
} & PageOptions): Changes<T>;
