import { expect, test } from "vitest";
import { derivePin } from "./cashiers.ts";
import { openPins } from "./pins.ts";
import type { Row, Store, StoreChange } from "./store.ts";

/** Only what is read and written here. */
function memory(): Store {
  const rows = new Map<string, unknown>();
  const store = {
    commit: ({ put = [] }: StoreChange) => {
      for (const { key, value } of put as Row[]) rows.set(key, structuredClone(value));
    },
    get: async (_table: string, key: string) => rows.get(key),
  };
  return store as Partial<Store> as Store;
}

async function person(id: string, pin: string) {
  const salt = new Uint8Array(16);
  const key = Buffer.from(await derivePin(pin, salt, 10)).toString("base64url");
  return {
    id,
    name: id,
    pin_hash: `pbkdf2-sha256$10$${Buffer.from(salt).toString("base64url")}$${key}`,
    permissions: [],
  };
}

const alone = { others: () => [], onShared: () => {} };

test("wrong PINs wait longer and longer, whoever opens the register anew, and the owner is told from the tenth on", async () => {
  const [ana, luz] = await Promise.all([person("ana", "1234"), person("luz", "9999")]);
  const store = memory();
  const told: number[] = [];
  let at = 1_000_000;
  const open = () => openPins({ store, now: () => new Date(at), onMany: (_, count) => told.push(count), ...alone });
  let pins = await open();
  for (let i = 0; i < 2; i++) expect(await pins.check(ana, "0000")).toBe(false);
  expect(pins.waitMs("ana")).toBe(0);
  await pins.check(ana, "0000");
  expect(pins.waitMs("ana")).toBe(1000);
  pins = await open();
  expect(pins.waitMs("ana")).toBe(1000);
  // While it waits not even the right one is taken, and another person's own does not clear it.
  expect(await pins.check(ana, "1234")).toBe(false);
  expect(await pins.check(luz, "9999")).toBe(true);
  const waits: number[] = [];
  for (let i = 0; i < 10; i++) {
    at += pins.waitMs("ana");
    await pins.check(ana, "0000");
    waits.push(pins.waitMs("ana") / 1000);
  }
  expect(waits).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 300, 300]);
  expect(told).toEqual([10, 11, 12, 13]);
  // A clock that is put back makes no wait longer, and the wait ends by that clock too.
  at -= 86_400_000;
  expect(pins.waitMs("ana")).toBe(300_000);
  at += 300_000;
  expect(await pins.check(ana, "1234")).toBe(true);
  expect(pins.waitMs("ana")).toBe(0);
});

test("no clock that is put forward ends a wait, nor does opening the register anew with it", async () => {
  const ana = await person("ana", "1234");
  const store = memory();
  let [at, elapsed] = [1_000_000, 5_000];
  const clocks = { now: () => new Date(at), elapsedMs: () => elapsed };
  const open = () => openPins({ store, ...clocks, onMany: () => {}, ...alone });
  let pins = await open();
  for (let i = 0; i < 12; i++) {
    elapsed += pins.waitMs("ana");
    await pins.check(ana, "0000");
  }
  expect(pins.waitMs("ana")).toBe(300_000);
  at += 600_000;
  expect(pins.waitMs("ana")).toBe(300_000);
  expect(await pins.check(ana, "1234")).toBe(false);
  elapsed = 0;
  pins = await open();
  expect(pins.waitMs("ana")).toBe(30_000);
  elapsed += 30_000;
  expect(await pins.check(ana, "1234")).toBe(true);
});

test("with a new PIN from the portal nobody waits for the wrong ones of the former", async () => {
  const [before, after] = await Promise.all([person("ana", "1234"), person("ana", "5678")]);
  const pins = await openPins({ store: memory(), now: () => new Date(1_000_000), onMany: () => {}, ...alone });
  for (let i = 0; i < 6; i++) await pins.check(before, "0000");
  expect(await pins.check(before, "1234")).toBe(false);
  expect(await pins.check(after, "5678")).toBe(true);
});
