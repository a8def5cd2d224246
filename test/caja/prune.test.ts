import { describe, expect, test } from "vitest";
import { prune, ticketDays, uploadDays } from "../../register/prune.ts";
import { sql } from "../../src/db/sql.ts";
import { desks, enrolled, sell, storeKinds, upload } from "../support/desk.ts";
import { sharedService } from "../support/fixtures.ts";

const service = sharedService();
const { open } = desks();
const dayMs = 86_400_000;

describe.each(storeKinds)("pruning over %s", (kind) => {
  test("forgets what is old and acknowledged, keeps the rest, and goes on numbering", async () => {
    const { accountId } = await service.business();
    let now = new Date();
    const desk = await open(kind, service, accountId, { now: () => now });
    const { counter, register, store } = desk;
    await counter.openShift(0);
    const old = [await sell(desk, 1000), await sell(desk, 2000)];
    const shiftId = counter.state().shift!.id;
    await counter.closeShift(3000);
    expect(await prune(store, new Date(now.getTime() + 1000 * dayMs))).toEqual({ entries: 0, sales: 0 });
    await upload(desk);
    await counter.openShift(0);
    const third = await sell(desk, 3000);
    const last = store.lastSeq();
    // Not old enough; then old enough for uploads; then for tickets, but never for what was not uploaded.
    expect(await prune(store, new Date(now.getTime() + (uploadDays - 1) * dayMs))).toEqual({ entries: 0, sales: 0 });
    expect(await prune(store, new Date(now.getTime() + (uploadDays + 1) * dayMs))).toEqual({ entries: 6, sales: 0 });
    expect(await counter.salesOf(shiftId)).toHaveLength(2);
    expect(await prune(store, new Date(now.getTime() + (ticketDays + 1) * dayMs))).toEqual({ entries: 0, sales: 2 });
    expect(await counter.salesOf(shiftId)).toEqual([]);
    expect(await counter.salesOf(counter.state().shift!.id)).toHaveLength(1);
    expect((await store.entries(0, 99)).map(({ device_seq }) => device_seq)).toEqual([last - 2, last - 1, last]);
    now = new Date(now.getTime() + 1000);
    const fourth = await sell(desk, 4000);
    expect(store.lastSeq(), "the sale and its shift").toBe(last + 2);
    await upload(desk);
    expect(register.pending()).toBe(0);
    const stored = await service.deps.pool.query(sql`select id from sales where account_id = ${accountId}`);
    expect(stored.rows.map(({ id }) => id).sort()).toEqual([...old, third, fourth].sort());
    // A copy from before everything that is still here: only a new link goes on, and it uploads what is left.
    await service.deps.pool.query(sql`update device_progress set acked_seq = 1 where account_id = ${accountId}`);
    await service.deps.pool.query("update installation set epoch = gen_random_uuid()");
    while (await register.pull(0));
    await expect(register.push()).rejects.toThrow("DEVICE_FORKED");
    await register.relink((await enrolled(service, accountId)).identity);
    // Two sales, and the shift as the last one left it.
    expect((await store.entries(0, 99)).map(({ device_seq }) => device_seq)).toEqual([1, 2, 3]);
    await upload(desk);
    expect(register.pending()).toBe(0);
    store.close();
  });
});
