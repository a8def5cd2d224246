import { MostradorError } from "./errors.ts";
import { queryOf } from "./list.ts";
import { connectionError, type ResponseLike, type Send, wait } from "./send.ts";

export interface ExportOptions {
  /** The `id` of the last record of an interrupted export. */
  startingAfter?: string | undefined;
  signal?: AbortSignal | undefined;
}

const maxInterruptions = 5;

/** All records in one stream. When the connection breaks, it resumes after the last complete line. */
export async function* exportAll<T extends { id: string }>(
  send: Send,
  name: string,
  { startingAfter, signal, ...filters }: object & ExportOptions,
): AsyncGenerator<T> {
  let last = startingAfter;
  for (let interruptions = 0; ; ) {
    const query = { ...queryOf(filters), ...(last !== undefined && { starting_after: last }) };
    const response = await send({ method: "GET", path: `/exports/${name}`, query, signal, isStream: true });
    try {
      for await (const line of lines(response, signal)) {
        const record = JSON.parse(line) as T;
        yield record;
        last = record.id;
        interruptions = 0;
      }
      return;
    } catch (error) {
      if (!(error instanceof Interruption) || signal?.aborted) throw error;
      if (++interruptions > maxInterruptions) throw connectionError(error.cause);
      await wait(100 * 2 ** interruptions, signal);
    }
  }
}

/** The connection ended before the response was complete. */
class Interruption extends Error {}

async function* lines(response: ResponseLike, signal: AbortSignal | undefined): AsyncGenerator<string> {
  const reader = response.body?.getReader();
  if (!reader) throw new MostradorError({ code: "INTERNAL_ERROR", status: response.status, message: "Sin cuerpo." });
  const decoder = new TextDecoder();
  let rest = "";
  // An abort does not wait for the next line, which may take long.
  const stop = () => void reader.cancel().catch(() => {});
  signal?.addEventListener("abort", stop, { once: true });
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        throw new Interruption("interrupted", { cause });
      });
      // A cancelled reader ends like a complete one.
      if (signal?.aborted) throw signal.reason;
      if (done) return;
      const parts = (rest + decoder.decode(value, { stream: true })).split("\n");
      rest = parts.pop()!;
      yield* parts;
    }
  } finally {
    signal?.removeEventListener("abort", stop);
    // When the caller stops early, the service stops sending too.
    await reader.cancel().catch(() => {});
  }
}
