import { exportAll } from "./export.js";
import { list, queryOf, readJson } from "./list.js";
import { wait } from "./send.js";
export function events(send) {
    return {
        get: (id) => readJson(send, { method: "GET", path: `/events/${encodeURIComponent(id)}` }),
        list: (filters = {}) => list(send, "/events", filters),
        export: (filters = {}) => exportAll(send, "events", filters),
        async *follow({ cursor, everyMs = 1_000, untilEnd = false, signal, ...filters } = {}) {
            for (;;) {
                const query = {
                    ...queryOf({ ...filters, order: "asc" }),
                    limit: "100",
                    ...(cursor && { starting_after: cursor }),
                };
                const page = await readJson(send, { method: "GET", path: "/events", query, signal });
                cursor = page.next_cursor ?? undefined;
                if (page.data.length > 0)
                    yield { events: page.data, cursor: page.next_cursor, caughtUp: !page.has_more };
                if (page.has_more)
                    continue;
                if (untilEnd)
                    return;
                await wait(everyMs, signal);
            }
        },
    };
}
