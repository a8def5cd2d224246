import type { Instant } from "./contract.ts";
import { type PageOptions } from "./list.ts";
import type { Send } from "./send.ts";
/** The changes since an instant. After the last one, `updatedSince` is where the next sync goes on. */
export interface Changes<T> extends AsyncIterable<T> {
    /**
     * Save it once the loop has ended, and pass it to the next sync. It moves only then: records do not come in the order
     * they changed, so half a loop proves nothing.
     */
    readonly updatedSince: string;
}
/**
 * Every record that changed since an instant, at least once. All pages are as of the instant of the first one, and the
 * boundary is inclusive: what changes meanwhile is found by the next sync, and what changed at the very boundary comes
 * again. Store by `id`, replacing what is there.
 */
export declare function sync<T extends {
    updated_at: string;
}>(send: Send, path: string, { updatedSince, ...filters }: {
    updatedSince?: Instant | undefined;
} & PageOptions): Changes<T>;
