import { expect, test } from "vitest";
import type { Pool } from "../../src/db/pool.ts";
import { eventually } from "../support/eventually.ts";
import { type Installation, newInstallation } from "../support/installation.ts";
import { longRun } from "../support/long-run.ts";
import { startLoad } from "../support/mixed-load.ts";
import { drained, loadProblems } from "../support/mixed-load-checks.ts";
import type { Business } from "../support/service.ts";

const pauses = longRun("FAULT_PAUSES", 2);
const seed = longRun("FAULT_SEED", 1);
/** For what must happen; on a busy machine it may take a while. */
const patienceMs = 180_000;

test(`when a backend is stopped in mid-transaction, ${pauses.value} times, the others continue and nothing is lost`, {
  timeout: 900_000 + pauses.value * 15_000,
}, async () => {
  await using installation = await newInstallation();
  const service = await installation.start();
  await using load = await startLoad(installation, { seed: seed.value });
  for (let i = 0; i < pauses.value; i++) {
    await load.more(20, patienceMs);
    const backend = await pauseWriter(installation);
    try {
      // The office's account waits for its own transaction; the shop's does not.
      const { shop, registers } = load.acked;
      await eventually(() => load.acked.shop > shop + 40 && load.acked.registers > registers, patienceMs);
    } finally {
      process.kill(backend, "SIGCONT");
    }
    await load.more(20, patienceMs);
  }
  await load.end();
  await installation.ask((pool) => drained(pool, 200_000));
  await load.endReading();
  expect(await installation.ask((pool) => loadProblems(pool, installation, load))).toEqual([]);
  expect(await service.stop()).toBe(0);
});

/**
 * Stops a backend that holds the office's clock while it waits for its client. A busy one might hold a lock inside the
 * server, for which everybody would wait: it is resumed at once, and the next is tried.
 */
async function pauseWriter(installation: Installation): Promise<number> {
  const { shop, office } = installation;
  const idle = "application_name = 'mostrador' and state = 'idle in transaction' and wait_event = 'ClientRead'";
  return installation.ask((pool) =>
    eventually(async () => {
      const { rows } = await pool.query<{ pid: number }>(`select pid from pg_stat_activity where ${idle} limit 1`);
      const pid = rows[0]?.pid;
      if (pid === undefined) return undefined;
      process.kill(pid, "SIGSTOP");
      const { rows: still } = await pool.query(`select from pg_stat_activity where pid = $1 and ${idle}`, [pid]);
      if (still.length === 1 && (await holdsOnly(pool, office, shop))) return pid;
      process.kill(pid, "SIGCONT");
      return undefined;
    }, patienceMs),
  );
}

/** Running backends hold a clock for an instant; a stopped one holds it at every check. */
async function holdsOnly(pool: Pool, held: Business, other: Business): Promise<boolean> {
  const free = new Set<string>();
  for (let look = 0; look < 50; look++) {
    const { rows } = await pool.query<{ account_id: string }>(
      "select account_id from account_clock for update skip locked",
    );
    for (const { account_id } of rows) free.add(account_id);
    if (free.has(held.accountId)) return false;
  }
  return free.has(other.accountId);
}
