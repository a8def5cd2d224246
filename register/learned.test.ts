import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openRegister } from "./register.ts";
import { openFileStore } from "./stores/file-store.ts";
import type { SyncClient } from "./sync-client.ts";

const folder = mkdtempSync(join(tmpdir(), "mostrador-learned-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("an app that learned a capability reads the feed anew, once", async () => {
  const store = openFileStore(folder, { device_id: "d", token: "t", account_id: "a", epoch: "e" });
  const asked: string[] = [];
  const clientOf = (...capabilities: string[]): SyncClient => ({
    capabilities,
    enrol: () => Promise.reject(new Error("it is linked")),
    stock: () => Promise.reject(new Error("nobody asks")),
    sales: () => Promise.reject(new Error("nobody asks")),
    sale: () => Promise.reject(new Error("nobody asks")),
    push: () => Promise.reject(new Error("nothing waits")),
    async changes(_token, cursor) {
      asked.push(cursor);
      return { changes: [], cursor: "c", has_more: false, epoch: "e", acked_seq: 0 };
    },
  });
  for (const client of [clientOf("a"), clientOf("a"), clientOf("a", "b"), clientOf("a", "b")])
    await (await openRegister({ store, client, now: () => new Date() })).pull(0);
  expect(asked).toEqual(["", "c", "", "c"]);
});
