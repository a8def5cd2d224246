import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Client } from "../../src/db/pool.ts";
import { isUnavailable } from "../../src/db/transaction.ts";
import { day } from "../../src/lib/clock.ts";
import { dailyTables } from "../../src/operations/daily-tables.ts";
import { type Business, type Service, startService } from "../support/service.ts";

let service: Service;
let shop: Business;
let backup: Client;
beforeAll(async () => {
  service = await startService();
  shop = await service.business();
  await create("antes");
  // What pg_dump does for as long as it takes: it holds every table against whoever wants it alone.
  backup = await service.deps.pool.connect();
  await backup.query("begin isolation level repeatable read read only");
  await backup.query(`lock table ${dailyTables.map(({ table }) => table).join(", ")} in access share mode`);
});
afterAll(async () => {
  await backup.query("rollback");
  backup.release();
  await service[Symbol.asyncDispose]();
});

function create(name: string) {
  return shop.api.post("/customers", { name });
}

test("while a backup runs, a new day gets its partitions and writers go on", async () => {
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

test("while a backup runs, what is past its retention stays, and no writer waits for its end", async () => {
  const { clock, partitions } = service.deps;
  const later = new Date(clock.now().getTime() + 40 * day);
  const dropping = partitions.dropExpired(later);
  // Once the exclusive lock is asked for, everyone else is behind it.
  await Promise.race([dropping.catch(() => {}), asked("AccessExclusiveLock")]);
  const started = performance.now();
  expect((await create("mientras tanto")).status).toBe(201);
  // Any other wait for a lock ends after 8 s.
  expect(performance.now() - started).toBeLessThan(7_000);
  await expect(dropping).rejects.toSatisfy(isUnavailable);
});

async function asked(mode: string): Promise<void> {
  const text = "select from pg_locks where mode = $1 and not granted";
  while ((await service.deps.pool.query(text, [mode])).rowCount === 0) await delay(10);
}
