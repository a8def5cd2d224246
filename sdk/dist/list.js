import { MostradorError } from "./errors.js";
export function list(send, path, filters) {
    const { pageSize = 100, startingAfter, signal, ...rest } = filters;
    async function* pages() {
        let cursor = startingAfter;
        for (;;) {
            const query = {
                ...queryOf(rest),
                limit: String(pageSize),
                ...(cursor !== undefined && { starting_after: cursor }),
            };
            const page = await readJson(send, { method: "GET", path, query, signal });
            yield page;
            if (!page.has_more || page.next_cursor === null)
                return;
            cursor = page.next_cursor;
        }
    }
    async function* records() {
        for await (const page of pages())
            yield* page.data;
    }
    return {
        pages,
        [Symbol.asyncIterator]: records,
        async toArray(most = Number.POSITIVE_INFINITY) {
            const found = [];
            if (most <= 0)
                return found;
            for await (const record of records())
                if (found.push(record) >= most)
                    break;
            return found;
        },
    };
}
export async function readJson(send, request) {
    const response = await send(request);
    const text = await response.text();
    try {
        return JSON.parse(text);
    }
    catch (cause) {
        // A page of somebody in between, such as a network that wants one to sign in.
        const message = `La respuesta HTTP ${response.status} no es JSON: revise baseUrl.`;
        throw new MostradorError({ code: "INTERNAL_ERROR", status: response.status, message, cause });
    }
}
/** `createdSince: new Date()` becomes `created_since=2026-…Z`. Undefined values are left out. */
export function queryOf(filters) {
    const given = Object.entries(filters).filter(([, value]) => value !== undefined && value !== null);
    return Object.fromEntries(given.map(([name, value]) => [
        name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
        value instanceof Date ? value.toISOString() : Array.isArray(value) ? value.join(",") : String(value),
    ]));
}
