import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { Refusal } from "./protocol.ts";
import { openRegister } from "./register.ts";
import { openFileStore } from "./stores/file-store.ts";
import type { SyncClient } from "./sync-client.ts";

const folder = mkdtempSync(join(tmpdir(), "mostrador-acknowledging-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("an answer acknowledges no more than was sent; a gap or a new epoch only takes back", async () => {
  const store = openFileStore(folder, { device_id: "d", token: "t", account_id: "a", epoch: "e" });
  let gap: number | undefined;
  const client: SyncClient = {
    capabilities: [],
    enrol: () => Promise.reject(new Error("it is linked")),
    stock: () => Promise.reject(new Error("nobody asks")),
    sales: () => Promise.reject(new Error("nobody asks")),
    sale: () => Promise.reject(new Error("nobody asks")),
    async push() {
      if (gap !== undefined) throw new Refusal(409, { code: "DEVICE_SEQ_GAP", message: "", expected: gap });
      return { epoch: "e", acked_seq: 10_000, results: [] };
    },
    async changes() {
      return { changes: [], cursor: "c", has_more: false, epoch: "restored", acked_seq: 9_000 };
    },
  };
  const register = await openRegister({ store, client, now: () => new Date() });
  register.record(Array.from({ length: 250 }, (_, i) => ({ type: "sale", id: `sale ${i}`, data: {} })));
  expect(await register.push()).toBe(true);
  expect(register.pending()).toBe(50);
  for (gap of [201, 1_000, 0]) await expect(register.push()).rejects.toThrow("DEVICE_SEQ_GAP");
  expect(register.pending()).toBe(50);
  gap = 101;
  expect(await register.push()).toBe(true);
  expect(register.pending()).toBe(150);
  await register.pull(0);
  expect(register.pending(), "the restored server claims more than was ever acknowledged").toBe(150);
  store.close();
});
