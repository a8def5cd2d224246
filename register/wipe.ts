import type { KeptSale } from "./sale.ts";
import { metaRow, type Row, type Store } from "./store.ts";
import { unsentIds } from "./unsent.ts";

/**
 * Forgets what a withdrawn register may no longer know: products, customers, cashiers with their hashes, documents, stock, and the sales
 * that are on the server. What was charged and never uploaded stays, and so does the shift that counts it.
 */
export async function wipe(store: Store): Promise<void> {
  const acked = (await store.get<number>("meta", "acked")) ?? 0;
  const unsent = await unsentIds(store, acked);
  const sales = await store.list<KeptSale>("sale");
  const remove: Pick<Row, "table" | "key">[] = [
    { table: "meta", key: "stock" },
    { table: "meta", key: "loaded" },
    { table: "meta", key: "shelf" },
    ...sales.flatMap(({ id }) => (unsent.has(id) ? [] : [{ table: "sale" as const, key: id }])),
  ];
  await store.commit({ clear: ["catalog", "document", "stock"], put: [metaRow("cursor", "")], remove });
  await store.prune(acked);
}
