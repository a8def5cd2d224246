import { type ChildProcess, execFile } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { newChance } from "../../simulator/chance.ts";
import { eventually } from "../support/eventually.ts";
import { type Installation, newInstallation } from "../support/installation.ts";
import { longRun, progress, recoveryMs } from "../support/long-run.ts";
import { startLoad } from "../support/mixed-load.ts";
import { drained, loadProblems } from "../support/mixed-load-checks.ts";
import type { StartedService } from "../support/process.ts";

const cycles = longRun("FAULT_CYCLES", 3);
const seed = longRun("FAULT_SEED", 1);
/** On Citus the database that is killed is a node: by this command, which ends one with `kill -9` and starts it again. */
const { CITUS_URL: citus, CITUS_KILL_NODE: killNode } = process.env;
/** From the kill of a part to its next acknowledged write, including its start. */
const withinMs = citus ? 180_000 : recoveryMs(cycles.isLong);

type Victim = "service" | "database" | "both" | "start";
/** The everyday run takes the first three; `start` kills the service while it starts. */
const everyday: Victim[] = citus && !killNode ? ["service", "start", "service"] : ["database", "both", "service"];

test(`after ${cycles.value} times kill -9 under load, what was acknowledged is stored once, announced once and delivered`, {
  timeout: 300_000 + cycles.value * (citus ? 30_000 : 10_000),
}, async () => {
  await using installation = await newInstallation();
  const chance = newChance(seed.value);
  let service = await installation.start();
  await using load = await startLoad(installation, { seed: seed.value });
  const underWay = new Set<string>();
  let done = 0;
  const stopTelling = progress(
    () => `${done} of ${cycles.value} kills, acked ${JSON.stringify(load.acked)}, ${load.arrivals.size} delivered`,
  );

  for (; done < cycles.value; done++) {
    const isLast = done === cycles.value - 1;
    const victim = isLast ? "service" : cycles.isLong ? chance.pick([...everyday, "start" as const]) : everyday[done]!;
    await load.more(chance.between(5, 60), withinMs);
    await delay(chance.between(0, 200));
    if (victim === "database") {
      await killDatabase(installation);
    } else {
      await Promise.all([service.kill(), ...(victim === "both" ? [killDatabase(installation)] : [])]);
      if (victim !== "both") await releaseLeases(installation, underWay);
      if (victim === "start") await killAtStart(installation, chance.between(0, 900));
      service = await installation.start();
    }
    await load.more(1, withinMs);
    // A database that returned together with its service cannot be queried earlier; the killed workers' leases remain.
    if (victim === "database" || victim === "both") await noteLeases(installation, underWay);
  }
  await load.end();
  await service.kill();
  await releaseLeases(installation, underWay);
  service = await installation.start();
  await installation.ask((pool) => drained(pool, 200_000));
  await load.endReading();
  stopTelling();

  expect(await installation.ask((pool) => loadProblems(pool, installation, load, underWay))).toEqual([]);
  expect(load.acked.registers).toBeGreaterThan(cycles.value);
  expect(await service.stop()).toBe(0);
});

async function killDatabase(installation: Installation): Promise<void> {
  if (citus) await promisify(execFile)("sh", ["-c", killNode!]);
  else process.kill(await installation.postmaster(), "SIGKILL");
}

/** At any stage of its start: adopting the database, migrating or listening. */
async function killAtStart(installation: Installation, afterMs: number): Promise<void> {
  let child: ChildProcess | undefined;
  const starting: Promise<StartedService | Error> = installation
    .start((spawned) => (child = spawned))
    .catch((error: Error) => error);
  await eventually(() => child !== undefined);
  const exited = once(child!, "exit");
  await delay(afterMs);
  process.kill(-child!.pid!, "SIGKILL");
  await exited;
  await starting;
}

async function noteLeases(installation: Installation, underWay: Set<string>): Promise<void> {
  const ids = await installation.ask((pool) =>
    pool.query<{ id: string }>("select id from webhook_queue where leased_until is not null"),
  );
  for (const { id } of ids.rows) underWay.add(id);
}

/** Their holders are dead. They would expire after 20 s and 3 min; a cycle does not wait for that. */
async function releaseLeases(installation: Installation, underWay: Set<string>): Promise<void> {
  await noteLeases(installation, underWay);
  const { shop, office } = installation;
  await installation.ask(async (pool) => {
    // One by one: a killed process's last statement may still be under way, on Citus at several nodes.
    for (const table of ["webhook_queue", "fiscal_documents"])
      for (const { accountId } of [shop, office])
        await pool.query(`update ${table} set leased_until = null where account_id = $1 and leased_until is not null`, [
          accountId,
        ]);
  });
}
