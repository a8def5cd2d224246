import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { openDB } from "idb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { useIndexedDb } from "../../test/support/indexed-db.ts";
import type { Entry, Identity } from "../protocol.ts";
import type { NewEntry, Row, Store, StoreChange, Table } from "../store.ts";
import { openFileStore } from "./file-store.ts";
import { openIndexedDbStore } from "./indexed-db-store.ts";

const identity: Identity = { device_id: "d", token: "t", account_id: "a", epoch: "e" };
const folder = mkdtempSync(join(tmpdir(), "mostrador-stores-"));
let takeAway: () => void;
beforeAll(() => {
  takeAway = useIndexedDb();
});
afterAll(() => {
  takeAway();
  rmSync(folder, { recursive: true, force: true });
});

/** Opens a store by name, new or as it was left. */
const kinds: Record<string, (name: string) => Promise<Store>> = {
  files: async (name) => openFileStore(join(folder, name), identity),
  IndexedDB: async (name) => {
    const store = await openIndexedDbStore({ name });
    if (!(await store.get("meta", "identity")))
      await store.commit({ put: [{ table: "meta", key: "identity", value: identity }] });
    return store;
  },
};

const entry = (id: string): NewEntry => ({
  type: "sale",
  id,
  op: "upsert",
  base_seq: 0,
  edited_at: "2026-09-28T19:05:09.120Z",
  changed: null,
  data: { note: "ñ — 日本" },
});

type Action =
  | { kind: "commit"; ids: string[]; rows: [Table, string, string][]; gone: [Table, string][] }
  | { kind: "fail"; ids: string[] }
  | { kind: "reopen" }
  | { kind: "renumber" };

const table = fc.constantFrom<Table>("ticket", "sale", "shift");
const key = fc.constantFrom("a", "b", "c");
const ids = fc.array(fc.uuid(), { maxLength: 3 });
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("commit" as const),
      ids,
      rows: fc.array(fc.tuple(table, key, fc.string()), { maxLength: 3 }),
      gone: fc.array(fc.tuple(table, key), { maxLength: 2 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("fail" as const), ids }) },
  { weight: 2, arbitrary: fc.constant<Action>({ kind: "reopen" }) },
  { weight: 1, arbitrary: fc.constant<Action>({ kind: "renumber" }) },
);

/** Neither JSON nor a browser's database can hold this. */
const unstorable = { function: () => {}, big: 1n };

describe.each(Object.keys(kinds))("a store over %s", (kind) => {
  let run = 0;

  test("numbers entries without gaps, commits whole or not at all, and opens as it was left", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 25 }), async (actions) => {
        const name = `${kind}-${run++}`;
        let store = await kinds[kind]!(name);
        const model = { ids: [] as string[], rows: new Map<string, string>() };
        for (const one of actions) {
          if (one.kind === "commit") {
            const remove = one.gone.map(([gone, id]) => ({ table: gone, key: id }));
            const put = one.rows.map(([into, id, value]): Row => ({ table: into, key: id, value, group: id }));
            await store.commit({ entries: one.ids.map(entry), put, remove });
            model.ids.push(...one.ids);
            for (const [gone, id] of one.gone) model.rows.delete(`${gone} ${id}`);
            for (const [into, id, value] of one.rows) model.rows.set(`${into} ${id}`, value);
          } else if (one.kind === "fail") {
            const bad: StoreChange = { entries: [...one.ids.map(entry), { ...entry("bad"), data: unstorable }] };
            await expect((async () => store.commit(bad))()).rejects.toThrow();
          } else if (one.kind === "reopen") {
            store.close();
            store = await kinds[kind]!(name);
          } else await store.renumber({ ...identity, device_id: crypto.randomUUID() });
        }
        const entries = await store.entries(0, 1000);
        expect(entries.map(({ id }) => id)).toEqual(model.ids);
        expect(entries.map(({ device_seq }) => device_seq)).toEqual(model.ids.map((_, i) => i + 1));
        expect(store.lastSeq()).toBe(model.ids.length);
        for (const into of ["ticket", "sale", "shift"] as const)
          for (const id of ["a", "b", "c"]) {
            const value = model.rows.get(`${into} ${id}`);
            expect(await store.get(into, id)).toBe(value);
            expect(await store.list(into, id)).toEqual(value === undefined ? [] : [value]);
          }
        store.close();
      }),
      { numRuns: process.env.LONG ? 1000 : 60 },
    );
  });

  test("reads its outbox from any number on", async () => {
    const store = await kinds[kind]!(`${kind}-outbox`);
    await store.commit({ entries: ["1", "2", "3", "4"].map(entry) });
    const read = async (after: number, limit: number) =>
      (await store.entries(after, limit)).map(({ device_seq }: Entry) => device_seq);
    expect(await read(0, 2)).toEqual([1, 2]);
    expect(await read(2, 9)).toEqual([3, 4]);
    expect(await read(4, 9)).toEqual([]);
    store.close();
  });

  test("gives no number twice to those who record at once", async () => {
    const store = await kinds[kind]!(`${kind}-twice`);
    await Promise.all(Array.from({ length: 20 }, async (_, i) => store.commit({ entries: [entry(String(i))] })));
    const entries = await store.entries(0, 100);
    expect(entries.map(({ device_seq }) => device_seq)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
    store.close();
  });
});

test("two tabs on one database give out different numbers", async () => {
  const [one, other] = [await openIndexedDbStore({ name: "tabs" }), await openIndexedDbStore({ name: "tabs" })];
  await Promise.all([one, other, one, other].map((store, i) => store.commit({ entries: [entry(String(i))] })));
  expect((await one.entries(0, 10)).map(({ device_seq }) => device_seq)).toEqual([1, 2, 3, 4]);
  one.close();
  other.close();
});

test("a journal whose last line a crash cut off opens without it, and goes on", async () => {
  const { appendFileSync, readdirSync } = await import("node:fs");
  const where = join(folder, "torn");
  const store = openFileStore(where, identity);
  store.commit({ entries: [entry("kept")] });
  store.close();
  appendFileSync(join(where, readdirSync(where)[0]!), '{"entries":[{"device_seq":2,"id":"tor');
  const again = openFileStore(where);
  again.commit({ entries: [entry("next")] });
  expect((await again.entries(0, 9)).map(({ id, device_seq }) => [id, device_seq])).toEqual([
    ["kept", 1],
    ["next", 2],
  ]);
  again.close();
});

test("a database of the first version keeps what is unsent, and gets the tables that came since", async () => {
  const first = await openDB("older", 1, {
    upgrade(db) {
      db.createObjectStore("outbox");
      for (const name of ["meta", "catalog", "ticket", "sale", "shift", "document"])
        db.createObjectStore(name, { keyPath: "key" }).createIndex("group", "group");
    },
  });
  await first.put("outbox", { ...entry("unsent"), device_seq: 1 }, 1);
  await first.put("meta", { key: "identity", value: identity });
  first.close();
  const store = await openIndexedDbStore({ name: "older" });
  expect((await store.entries(0, 9)).map(({ id }) => id)).toEqual(["unsent"]);
  expect(await store.get("meta", "identity")).toEqual(identity);
  await store.commit({ entries: [entry("next")], put: [{ table: "stock", key: "p", value: 1 }] });
  expect([store.lastSeq(), await store.list("stock")]).toEqual([2, [1]]);
  store.close();
});
