import { type IDBPDatabase, type IDBPTransaction, openDB } from "idb";
import type { Entry, Identity } from "../protocol.ts";
import { metaOf, type NewEntry, type Row, type Store, type StoreChange, type Table, tables } from "../store.ts";
import { withoutSuperseded } from "../superseded.ts";

/** Of the browser; declared here because the rest of the project is typed without one. */
declare const IDBKeyRange: {
  lowerBound(bound: number, isOpen: boolean): never;
  upperBound(bound: number): never;
};

/** A row as it is stored. */
interface Kept {
  key: string;
  group?: string;
  value: unknown;
}

/** Raised with every change of the object stores; `upgrade` then carries over what an older version left. */
const version = 2;
const all: string[] = ["outbox", ...tables];

export interface IndexedDbOptions {
  name: string;
  /** A newer version of the app wants the database: this one must let go of it. */
  onSuperseded?: () => void;
  /** The browser took the database away while it was open: somebody cleared the site's data, or the disk failed. */
  onLost?: () => void;
  /** Whoever opened it last is the only one who may write. */
  isAlone?: boolean;
}

/** Another tab is the register now: what this one stores the other would never learn. */
export class TakenOverError extends Error {
  constructor() {
    super("another tab took the register over");
  }
}

export interface BrowserStore extends Store<Promise<void>> {
  /** The entries that the server has not acknowledged, from memory: they are still there when the database is gone. */
  unsent(): Entry[];
}

/**
 * A browser's own database. Entries are written with strict durability: the promise resolves when they are on the disk. Their
 * numbers are given inside the transaction, and transactions of all tabs run one after the other, so that no number is given
 * out twice even if two tabs record at once.
 */
export async function openIndexedDbStore(options: IndexedDbOptions): Promise<BrowserStore> {
  const { name, onSuperseded, onLost, isAlone = false } = options;
  const db = await openDB(name, version, {
    upgrade(fresh) {
      const missing = all.filter((table) => !fresh.objectStoreNames.contains(table));
      for (const table of missing)
        if (table === "outbox") fresh.createObjectStore("outbox");
        else fresh.createObjectStore(table, { keyPath: "key" }).createIndex("group", "group");
    },
    blocking() {
      db.close();
      onSuperseded?.();
    },
    terminated: () => onLost?.(),
  });
  const holder = isAlone ? crypto.randomUUID() : undefined;
  let last = await begin(db, holder);
  const entriesAfter = (after: number, limit?: number): Promise<Entry[]> =>
    db.getAll("outbox", IDBKeyRange.lowerBound(after, true), limit);
  let acked = ((await db.get("meta", "acked"))?.value as number | undefined) ?? 0;
  let unsent = await entriesAfter(acked);
  return {
    async commit(change) {
      const { entries = [], put = [] } = change;
      if (entries.length === 0) await keep(db, change);
      else {
        const number = await commit(db, change, holder);
        last = Math.max(last, number);
        const first = number - entries.length + 1;
        unsent.push(...entries.map((entry, i) => ({ ...entry, device_seq: first + i })));
      }
      const now = put.find(({ table, key }) => table === "meta" && key === "acked")?.value as number | undefined;
      if (now === undefined) return;
      // A server that was restored from a copy wants some of it again.
      unsent = now < acked ? await entriesAfter(now) : unsent.filter(({ device_seq }) => device_seq > now);
      acked = now;
    },
    unsent: () => [...unsent],
    lastSeq: () => last,
    entries: entriesAfter,
    async list<T>(table: Table, group?: string) {
      const rows: Kept[] = await (group === undefined ? db.getAll(table) : db.getAllFromIndex(table, "group", group));
      return rows.map(({ value }) => value as T);
    },
    get: async <T>(table: Table, key: string) => (await db.get(table, key))?.value as T | undefined,
    prune: (upTo) => prune(db, upTo),
    async renumber(identity: Identity) {
      const tx = writable(db, "strict");
      last = await wholeOrNothing(tx, async (run) => {
        const outbox = tx.objectStore("outbox");
        const entries = withoutSuperseded<NewEntry>(await outbox.getAll());
        run(outbox.clear());
        for (const [i, entry] of entries.entries()) run(outbox.add({ ...entry, device_seq: i + 1 }, i + 1));
        putRows(tx, metaOf(identity), run);
        return entries.length;
      });
      acked = 0;
      unsent = await entriesAfter(0);
    },
    rewrite: (change) => rewrite(db, change),
    close: () => db.close(),
  };
}

async function prune(db: IDBPDatabase, upTo: number): Promise<number> {
  const tx = writable(db, "relaxed");
  return wholeOrNothing(tx, async (run) => {
    const old = IDBKeyRange.upperBound(Math.min(upTo, (await lastKey(tx)) - 1));
    const count = await tx.objectStore("outbox").count(old);
    run(tx.objectStore("outbox").delete(old));
    return count;
  });
}

async function rewrite(
  db: IDBPDatabase,
  { entries, put }: { entries: readonly Entry[]; put: readonly Row[] },
): Promise<void> {
  const tx = writable(db, "strict", touched({ put }, "outbox"));
  await wholeOrNothing(tx, async (run) => {
    for (const entry of entries) run(tx.objectStore("outbox").put(entry, entry.device_seq));
    putRows(tx, put, run);
  });
}

type WriteTransaction = IDBPTransaction<unknown, string[], "readwrite">;

function writable(db: IDBPDatabase, durability: "strict" | "relaxed", tables: string[] = all): WriteTransaction {
  return db.transaction(tables, "readwrite", { durability });
}

/** What a change touches: the fewer tables, the sooner a transaction begins. */
function touched({ put = [], remove = [], clear = [] }: StoreChange, ...others: string[]): string[] {
  return [...new Set([...others, ...clear, ...[...put, ...remove].map(({ table }) => table)])];
}

/** From now on only this holder's entries are taken. Returns the last number that was given out. */
async function begin(db: IDBPDatabase, holder: string | undefined): Promise<number> {
  const tx = writable(db, "relaxed", ["outbox", "meta"]);
  if (holder !== undefined) void tx.objectStore("meta").put({ key: "holder", value: holder });
  return lastKey(tx);
}

/** Rows without entries: nothing has to be numbered, and no tab has to be the only one. */
async function keep(db: IDBPDatabase, change: StoreChange): Promise<void> {
  const tables = touched(change);
  if (tables.length === 0) return;
  const tx = writable(db, "relaxed", tables);
  await wholeOrNothing(tx, async (run) => putChange(tx, change, run));
}

function putChange(
  tx: WriteTransaction,
  { put = [], remove = [], clear = [] }: StoreChange,
  run: (operation: Promise<unknown>) => void,
): void {
  for (const table of clear) run(tx.objectStore(table).clear());
  for (const { table, key } of remove) run(tx.objectStore(table).delete(key));
  putRows(tx, put, run);
}

/** Returns the last number after the commit. A holder is checked in the same transaction: no other tab can come in between. */
async function commit(db: IDBPDatabase, change: StoreChange, holder: string | undefined): Promise<number> {
  const { entries = [] } = change;
  const tx = writable(db, "strict", touched(change, "outbox", "meta"));
  return wholeOrNothing(tx, async (run) => {
    const outbox = tx.objectStore("outbox");
    const [last, current] = await Promise.all([lastKey(tx), tx.objectStore("meta").get("holder")]);
    if (holder !== undefined && current !== undefined && current.value !== holder) throw new TakenOverError();
    putChange(tx, change, run);
    // `add` fails on a number that is taken; nothing is ever overwritten.
    for (const [i, entry] of entries.entries()) run(outbox.add({ ...entry, device_seq: last + 1 + i }, last + 1 + i));
    return last + entries.length;
  });
}

/** A browser commits what was queued before an exception, unless it is told to abort. */
async function wholeOrNothing<T>(
  tx: WriteTransaction,
  work: (run: (operation: Promise<unknown>) => void) => Promise<T>,
): Promise<T> {
  // Those that an abort takes along reject as well; the first failure is the one that is thrown.
  tx.done.catch(() => {});
  const operations: Promise<unknown>[] = [];
  try {
    const result = await work((operation) => {
      operation.catch(() => {});
      operations.push(operation);
    });
    await Promise.all([...operations, tx.done]);
    return result;
  } catch (error) {
    try {
      tx.abort();
    } catch {
      // It has aborted by itself.
    }
    throw error;
  }
}

function putRows(tx: WriteTransaction, rows: readonly Row[], run: (operation: Promise<unknown>) => void): void {
  for (const { table, key, value, group } of rows)
    run(tx.objectStore(table).put({ key, value, ...(group !== undefined && { group }) }));
}

async function lastKey(tx: WriteTransaction): Promise<number> {
  const cursor = await tx.objectStore("outbox").openKeyCursor(null, "prev");
  return (cursor?.key as number | undefined) ?? 0;
}
