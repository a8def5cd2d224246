import type { Entry } from "./protocol.ts";
import { elsewhereGroup, type KeptSale } from "./sale.ts";
import type { Shift } from "./shift.ts";
import type { Row, Store } from "./store.ts";
import { unsentIds } from "./unsent.ts";

const dayMs = 86_400_000;
/** Uploads stay this long after they were made: a service that was put back to an older copy gets them again. */
export const uploadDays = 60;
/** Tickets of closed shifts stay this long, to be printed again or taken back. */
export const ticketDays = 180;

const pageEntries = 500;

type Removed = Pick<Row, "table" | "key">;

export interface Pruned {
  entries: number;
  sales: number;
}

/** Forgets what is old and on the server. What the server has not acknowledged stays, however old, and so does its ticket. */
export async function prune(store: Store, now: Date): Promise<Pruned> {
  const acked = (await store.get<number>("meta", "acked")) ?? 0;
  const unsent = await unsentIds(store, acked);
  const sales = await pruneTickets(store, new Date(now.getTime() - ticketDays * dayMs), unsent);
  // The levels of the stock are completed with the uploads that they lack.
  const counted = (await store.get<{ acked: number }>("meta", "stock"))?.acked ?? acked;
  const upTo = await lastOld(store, Math.min(acked, counted), new Date(now.getTime() - uploadDays * dayMs));
  return { entries: await store.prune(upTo), sales };
}

/** The last of the oldest uploads that are all acknowledged and old. */
async function lastOld(store: Store, acked: number, before: Date): Promise<number> {
  let upTo = 0;
  for (;;) {
    const entries = await store.entries(upTo, pageEntries);
    const isOld = ({ device_seq, edited_at }: Entry) => device_seq <= acked && new Date(edited_at) < before;
    const end = entries.findIndex((entry) => !isOld(entry));
    const old = end === -1 ? entries : entries.slice(0, end);
    upTo = old.at(-1)?.device_seq ?? upTo;
    if (old.length < pageEntries) return upTo;
  }
}

async function pruneTickets(store: Store, before: Date, unsent: ReadonlySet<string>): Promise<number> {
  let pruned = 0;
  const forget = async (sales: readonly KeptSale[], others: Removed[] = []): Promise<void> => {
    const documents = await Promise.all(sales.map(({ id }) => store.list<{ id: string }>("document", id)));
    const remove: Removed[] = [
      ...others,
      ...sales.map(({ id }) => ({ table: "sale" as const, key: id })),
      ...documents.flat().map(({ id }) => ({ table: "document" as const, key: id })),
    ];
    await store.commit({ remove });
    pruned += sales.length;
  };
  for (const shift of await store.list<Shift>("shift", "closed")) {
    if (unsent.has(shift.id) || new Date(shift.closed_at!) >= before) continue;
    const sales = await store.list<KeptSale>("sale", shift.id);
    if (sales.some(({ id }) => unsent.has(id))) continue;
    await forget(sales, [{ table: "shift", key: shift.id }]);
  }
  const elsewhere = await store.list<KeptSale>("sale", elsewhereGroup);
  await forget(elsewhere.filter(({ id, data }) => !unsent.has(id) && new Date(data.occurred_at) < before));
  return pruned;
}
