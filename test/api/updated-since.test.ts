import { expect, test } from "vitest";
import { customers } from "../../src/business/customers/resource.ts";
import { writing } from "../../src/engine/writing/writing.ts";
import { sharedService } from "../support/fixtures.ts";
import { customerBody } from "../support/records.ts";
import type { Business } from "../support/service.ts";

const service = sharedService();

/** Creates customers, a hundred per write, and returns their ids in the order of creation. */
async function make({ accountId }: Business, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let made = 0; made < count; made += 100) {
    await writing(service.deps, accountId, (write) => {
      for (let i = 0; i < 100; i++) {
        const body = customerBody(write.at.toISOString());
        ids.push(body.id);
        write.put(customers, { body });
      }
    });
  }
  return ids;
}

/** Changes them all and returns the instant of the first change. */
async function change({ accountId }: Business, ids: readonly string[]): Promise<string> {
  let first = "";
  await writing(service.deps, accountId, async (write) => {
    first = write.at.toISOString();
    for (const [, record] of await write.loadMany(customers, ids)) {
      write.put(customers, {
        ...record,
        body: { ...record.body, phone: "3001234567", updated_at: write.at.toISOString() },
      });
    }
  });
  return first;
}

async function readAll({ api }: Business, since: string): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const { body } = await api.get(
      `/customers?updated_since=${since}&limit=100${cursor ? `&starting_after=${cursor}` : ""}`,
    );
    ids.push(...body.data.map(({ id }: { id: string }) => id));
    cursor = body.next_cursor;
  } while (cursor !== null);
  return ids;
}

test("few changes, many among the newest records, and many far down the list are each read completely, in order and once", async () => {
  const shop = await service.business();
  const old = await make(shop, 400);
  await make(shop, 2_200);
  const few = await change(shop, old.slice(0, 150));
  expect(new Set(await readAll(shop, few))).toEqual(new Set(old.slice(0, 150)));
  // None of these is among the two thousand newest customers.
  const buried = await change(shop, old);
  expect((await readAll(shop, buried)).toSorted()).toEqual(old.toSorted());
  const newest = await make(shop, 500);
  const recent = await change(shop, newest);
  expect((await readAll(shop, recent)).toSorted()).toEqual(newest.toSorted());
  // Records that change during paging are left for the next poll, in each of these cases.
  const first = await shop.api.get(`/customers?updated_since=${recent}&limit=100`);
  await change(shop, newest.slice(0, 300));
  const rest = await shop.api.get(
    `/customers?updated_since=${recent}&limit=100&starting_after=${first.body.next_cursor}`,
  );
  const seen = [...first.body.data, ...rest.body.data].map(({ id }: { id: string }) => id);
  expect(new Set(seen).size).toBe(seen.length);
  const all = await readAll(shop, "1970-01-01T00:00:00Z");
  expect(new Set(all).size).toBe(3_100);
  expect(all).toHaveLength(3_100);
});
