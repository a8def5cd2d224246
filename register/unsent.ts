import type { Store } from "./store.ts";

const pageEntries = 500;

/** The ids of records that the server has not acknowledged, and of the sales that they name: a return, a mail. */
export async function unsentIds(store: Store, acked: number): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for (let after = acked; ; ) {
    const entries = await store.entries(after, pageEntries);
    for (const { id, data } of entries) {
      ids.add(id);
      const { sale_id } = data as { sale_id?: unknown };
      if (typeof sale_id === "string") ids.add(sale_id);
    }
    if (entries.length < pageEntries) return ids;
    after = entries.at(-1)!.device_seq;
  }
}
