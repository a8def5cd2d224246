import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Client } from "../../src/db/pool.ts";
import { isUnavailable } from "../../src/db/transaction.ts";
import { day } from "../../src/lib/clock.ts";
import { dailyTables } from "../../src/operations/daily-tables.ts";
import { sharedService, sharedShop } from "../support/fixtures.ts";

const service = sharedService();
const shop = sharedShop(service);
let backup: Client;
beforeAll(async () => {
  await create("antes");
  // What pg_dump does while it runs: it holds a lock on every table that keeps out exclusive ones.
  backup = await service.deps.pool.connect();
  await backup.query("begin isolation level repeatable read read only");
  await backup.query(`lock table ${dailyTables.map(({ table }) => table).join(", ")} in access share mode`);
});
afterAll(async () => {
  await backup.query("rollback");
  backup.release();
});

function create(name: string) {
  return shop.api.post("/customers", { name });
}

test("during a backup a new day gets its partitions and writes continue", async () => {
  const { clock, partitions, pool } = service.deps;
  for (const days of [1, 10]) {
    clock.shiftTo(days * day);
    await partitions.dropExpired(new Date());
    expect((await create(`día ${days}`)).status).toBe(201);
  }
  const { rows } = await pool.query(
    "select count(*) from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'events'::regclass",
  );
  expect(rows[0].count).toBe(9);
});

test("during a backup expired partitions stay, and no write waits for the backup to end", async () => {
  const { clock, partitions } = service.deps;
  const later = new Date(clock.now().getTime() + 40 * day);
  const dropping = partitions.dropExpired(later);
  // Once an exclusive lock is requested, everyone else queues behind it.
  await Promise.race([dropping.catch(() => {}), asked("AccessExclusiveLock")]);
  // A write that waited for the backup's lock would be refused after 8 s.
  expect((await create("mientras tanto")).status).toBe(201);
  await expect(dropping).rejects.toSatisfy(isUnavailable);
});

async function asked(mode: string): Promise<void> {
  const text = "select from pg_locks where mode = $1 and not granted";
  while ((await service.deps.pool.query(text, [mode])).rowCount === 0) await delay(10);
}
