import { expect, test } from "vitest";
import { listenerName } from "../../src/access/accounts/test-clock.ts";
import { createPool } from "../../src/db/create-pool.ts";
import { shiftedClock } from "../../src/lib/clock.ts";
import { listenForChanges } from "../../src/operations/start/listener.ts";
import { interfere, serverGone } from "../support/interfere.ts";
import { startService } from "../support/service.ts";

const listening = `select pid from pg_stat_activity where application_name = '${listenerName}' and datname = current_database()`;

test("a listener that has to reconnect leaves no connection of the first attempt behind", async () => {
  await using service = await startService();
  const { access } = service.deps;
  const pool = createPool({ url: service.databaseUrl });
  const states: boolean[] = [];
  const listener = await listenForChanges({
    url: service.databaseUrl,
    pool,
    access,
    clock: shiftedClock(),
    onState: (connected) => states.push(connected),
  });
  const pids = async () => (await service.deps.pool.query<{ pid: number }>(listening)).rows.map(({ pid }) => pid);

  // The server accepts connections again, but the pool has not recovered yet.
  interfere(pool, "clock_offset_ms", serverGone);
  await pool.query("select pg_terminate_backend($1)", await pids());
  await expect.poll(() => states).toEqual([true, false, true]);
  await expect.poll(pids).toHaveLength(1);

  await listener.stop();
  await expect.poll(pids).toEqual([]);
  await pool.end();
});
