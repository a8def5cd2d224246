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
/** A look that takes longer waits for the backend that it stopped. */
const lookMs = 5_000;

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
    } catch (error) {
      throw new Error(`${JSON.stringify(load.acked)}, stopped ${backend}:\n${await waiting(installation)}`, {
        cause: error,
      });
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
 * server, for which everybody would wait, this look too: it is resumed at once, or by a timer, and the next is tried.
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
      let isKept = true;
      const resume = () => {
        isKept = false;
        process.kill(pid, "SIGCONT");
      };
      const timer = setTimeout(resume, lookMs);
      try {
        const { rows: still } = await pool.query(`select from pg_stat_activity where pid = $1 and ${idle}`, [pid]);
        if (still.length === 1 && (await holdsOnly(pool, office, shop)) && isKept) return pid;
        resume();
        return undefined;
      } catch (error) {
        resume();
        throw error;
      } finally {
        clearTimeout(timer);
      }
    }, patienceMs),
  );
}

/** Who waits for whom, to read after a failure. */
async function waiting(installation: Installation): Promise<string> {
  const { rows } = await installation.ask((pool) =>
    pool.query<{ line: string }>(`
      select concat_ws(' ', pid, state, wait_event_type, wait_event, pg_blocking_pids(pid), left(query, 120)) as line
      from pg_stat_activity where backend_type = 'client backend'`),
  );
  return rows.map(({ line }) => line).join("\n");
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
