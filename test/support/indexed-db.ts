import * as fake from "fake-indexeddb";

const names = [
  "IDBCursor",
  "IDBCursorWithValue",
  "IDBDatabase",
  "IDBIndex",
  "IDBKeyRange",
  "IDBObjectStore",
  "IDBOpenDBRequest",
  "IDBRequest",
  "IDBTransaction",
  "IDBVersionChangeEvent",
] as const;

/** Gives this process the browser's database, empty; the returned function takes it away again. */
export function useIndexedDb(): () => void {
  const own = globalThis as unknown as Record<string, unknown>;
  for (const name of names) own[name] = fake[name];
  own.indexedDB = new fake.IDBFactory();
  return () => {
    for (const name of [...names, "indexedDB"]) delete own[name];
  };
}
