import {
  IDBCursor,
  IDBCursorWithValue,
  IDBDatabase,
  IDBFactory,
  IDBIndex,
  IDBKeyRange,
  IDBObjectStore,
  IDBOpenDBRequest,
  IDBRequest,
  IDBTransaction,
  IDBVersionChangeEvent,
} from "fake-indexeddb";

const classes = {
  IDBCursor,
  IDBCursorWithValue,
  IDBDatabase,
  IDBIndex,
  IDBKeyRange,
  IDBObjectStore,
  IDBOpenDBRequest,
  IDBRequest,
  IDBTransaction,
  IDBVersionChangeEvent,
};

/** Gives this process the browser's database, empty; the returned function takes it away again. */
export function useIndexedDb(): () => void {
  const own = globalThis as unknown as Record<string, unknown>;
  Object.assign(own, classes, { indexedDB: new IDBFactory() });
  return () => {
    for (const name of [...Object.keys(classes), "indexedDB"]) delete own[name];
  };
}
