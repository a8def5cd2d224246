import type { Instant } from "./contract.ts";
import { list, type PageOptions } from "./list.ts";
import type { Send } from "./send.ts";

/** The changes since an instant. After the last one, `updatedSince` is where the next sync goes on. */
export interface Changes<T> extends AsyncIterable<T> {
  /**
   * Save it once the loop has ended, and pass it to the next sync. It moves only then: records do not come in the order
   * they changed, so half a loop proves nothing.
   */
  readonly updatedSince: string;
}

const theBeginning = "1970-01-01T00:00:00.000Z";

/**
 * Every record that changed since an instant, at least once. All pages are as of the instant of the first one, and the
 * boundary is inclusive: what changes meanwhile is found by the next sync, and what changed at the very boundary comes
 * again. Store by `id`, replacing what is there.
 */
export function sync<T extends { updated_at: string }>(
  send: Send,
  path: string,
  { updatedSince, ...filters }: { updatedSince?: Instant | undefined } & PageOptions,
): Changes<T> {
  const from = updatedSince instanceof Date ? updatedSince.toISOString() : (updatedSince ?? theBeginning);
  let reached = from;
  return {
    get updatedSince() {
      return reached;
    },
    async *[Symbol.asyncIterator]() {
      let greatest = from;
      for await (const record of list<T>(send, path, { ...filters, updatedSince: from } as PageOptions)) {
        if (Date.parse(record.updated_at) > Date.parse(greatest)) greatest = record.updated_at;
        yield record;
      }
      reached = greatest;
    },
  };
}
