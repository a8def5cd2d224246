import { list } from "./list.js";
const theBeginning = "1970-01-01T00:00:00.000Z";
/**
 * Every record that changed since an instant, at least once. All pages are as of the instant of the first one, and the
 * boundary is inclusive: what changes meanwhile is found by the next sync, and what changed at the very boundary comes
 * again. Store by `id`, replacing what is there.
 */
export function sync(send, path, { updatedSince, ...filters }) {
    const from = updatedSince instanceof Date ? updatedSince.toISOString() : (updatedSince ?? theBeginning);
    let reached = from;
    return {
        get updatedSince() {
            return reached;
        },
        async *[Symbol.asyncIterator]() {
            let greatest = from;
            for await (const record of list(send, path, { ...filters, updatedSince: from })) {
                if (Date.parse(record.updated_at) > Date.parse(greatest))
                    greatest = record.updated_at;
                yield record;
            }
            reached = greatest;
        },
    };
}
