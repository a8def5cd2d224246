import { MostradorError } from "./errors.js";
import { queryOf } from "./list.js";
import { connectionError, wait } from "./send.js";
const mostCuts = 5;
/** All records in one stream. When the connection is cut, it goes on after the last whole line. */
export async function* exportAll(send, name, { startingAfter, signal, ...filters }) {
    let last = startingAfter;
    for (let cuts = 0;;) {
        const query = { ...queryOf(filters), ...(last !== undefined && { starting_after: last }) };
        const response = await send({ method: "GET", path: `/exports/${name}`, query, signal, isStream: true });
        try {
            for await (const line of lines(response, signal)) {
                const record = JSON.parse(line);
                yield record;
                last = record.id;
                cuts = 0;
            }
            return;
        }
        catch (error) {
            if (!(error instanceof Cut) || signal?.aborted)
                throw error;
            if (++cuts > mostCuts)
                throw connectionError(error.cause);
            await wait(100 * 2 ** cuts, signal);
        }
    }
}
/** The connection ended before the answer did. */
class Cut extends Error {
}
async function* lines(response, signal) {
    const reader = response.body?.getReader();
    if (!reader)
        throw new MostradorError({ code: "INTERNAL_ERROR", status: response.status, message: "Sin cuerpo." });
    const decoder = new TextDecoder();
    let rest = "";
    // The next line may be far away: whoever stops does not wait for it.
    const stop = () => void reader.cancel().catch(() => { });
    signal?.addEventListener("abort", stop, { once: true });
    try {
        for (;;) {
            const { done, value } = await reader.read().catch((cause) => {
                throw new Cut("cut", { cause });
            });
            // What was stopped ends like what is complete.
            if (signal?.aborted)
                throw signal.reason;
            if (done)
                return;
            const parts = (rest + decoder.decode(value, { stream: true })).split("\n");
            rest = parts.pop();
            yield* parts;
        }
    }
    finally {
        signal?.removeEventListener("abort", stop);
        // Whoever stops reading early lets the service stop too.
        await reader.cancel().catch(() => { });
    }
}
