import { list } from "./list.js";
const epoch = "1970-01-01T00:00:00.000Z";
/**
 * Every record that changed since an instant, at least once. All pages show the state at the time of the first one, and the
 * boundary is inclusive: the next sync returns later changes, and records that changed exactly at the boundary again. Store
 * records by `id`, replacing the previous version.
 */
export function sync(send, path, { updatedSince, ...filters }) {
    const from = updatedSince instanceof Date ? updatedSince.toISOString() : (updatedSince ?? epoch);
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
