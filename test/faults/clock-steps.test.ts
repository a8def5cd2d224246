import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sql } from "../../src/db/sql.ts";
import { hour, second } from "../../src/lib/clock.ts";
import { apiClient } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { newInstallation } from "../support/installation.ts";
import { longRun } from "../support/long-run.ts";
import { startLoad } from "../support/mixed-load.ts";
import { drained, loadProblems } from "../support/mixed-load-checks.ts";

const rounds = longRun("FAULT_CLOCKS", 1);
const seed = longRun("FAULT_SEED", 1);
/** For what must happen; on a busy machine it may take a while. */
const patienceMs = 60_000;
/** Offsets of the service's clock from the database's; after each it is corrected. */
const stands = [hour, 30 * second, -hour];

test("when the service's clock jumps back and forth under load, it stops writing, resumes by itself and stores no wrong instant", {
  timeout: 300_000 + rounds.value * 60_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), "mostrador-clock-"));
  const file = join(folder, "offset");
  const settings = {
    NODE_OPTIONS: `--import=${new URL("../support/stepped-clock.ts", import.meta.url).href}`,
    STEPPED_CLOCK: file,
  };
  const begunAt = new Date();
  await using installation = await newInstallation(settings);
  const service = await installation.start();
  await using load = await startLoad(installation, { seed: seed.value });
  const office = apiClient(service.url, { authorization: `Bearer ${installation.office.key}` });
  const step = async (stand: number) => {
    await writeFile(file, String(stand));
    service.process.kill("SIGUSR2");
  };
  const readiness = async () => {
    const answer = await fetch(`${service.adminUrl}/readyz`);
    return `${answer.status} ${await answer.text()}`;
  };
  const refused = (count: number) => {
    const before = load.refusals;
    return eventually(() => load.refusals > before + count, patienceMs);
  };

  for (const stand of Array.from({ length: rounds.value }, () => stands).flat()) {
    await load.more(20, patienceMs);
    await step(stand);
    if (Math.abs(stand) < hour) {
      await eventually(async () => /^200 .*the host's clock is/.test(await readiness()), patienceMs);
      await load.more(20, patienceMs);
    } else {
      await eventually(async () => /^503 .*the host's clock is/.test(await readiness()), patienceMs);
      // Writes that had begun may still commit.
      await refused(50);
      const acked = { ...load.acked };
      await refused(50);
      expect(load.acked).toEqual(acked);
      expect((await office.get("/customers?limit=1")).status).toBe(200);
    }
    await step(0);
    await eventually(async () => (await readiness()).startsWith("200"), patienceMs);
    const delivered = load.arrivals.size;
    await load.more(20, patienceMs);
    await eventually(() => load.arrivals.size > delivered + 20, patienceMs);
  }
  await load.end();
  await installation.ask((pool) => drained(pool, 200_000));
  await load.endReading();
  expect(await installation.ask((pool) => loadProblems(pool, installation, load))).toEqual([]);
  const wrong = await installation.ask((pool) =>
    pool.query(sql`
      select id, created_at from events
      where created_at < ${begunAt} or created_at > ${new Date(Date.now() + 5 * second)}`),
  );
  expect(wrong.rows).toEqual([]);
  expect(await service.stop()).toBe(0);
  await rm(folder, { recursive: true, force: true });
});
