import { execFileSync, spawnSync } from "node:child_process";
import { closeSync, constants, openSync, writeSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { alertsProblem, hasPromtool, scrape } from "../support/alerts.ts";
import { eventually } from "../support/eventually.ts";
import { newInstallation } from "../support/installation.ts";
import { longRun, recoveryMs } from "../support/long-run.ts";
import { startLoad } from "../support/mixed-load.ts";
import { drained, loadProblems } from "../support/mixed-load-checks.ts";

const rounds = longRun("FAULT_DISKS", 1);
const seed = longRun("FAULT_SEED", 1);
/** From the moment there is space again to the next acknowledged writes. */
const withinMs = recoveryMs(rounds.isLong);
const patienceMs = 30_000;

const disk = await mkdtemp(join(tmpdir(), "mostrador-disk-"));
/** Only root can mount a small disk for the test. */
const isMounted =
  process.platform === "linux" &&
  spawnSync("mount", ["-t", "tmpfs", "-o", "size=200m,mode=755", "tmpfs", disk]).status === 0;
if (!isMounted) console.warn("full-disk.test.ts is skipped: it needs root and the right to mount a tmpfs");
afterAll(async () => {
  if (isMounted) execFileSync("umount", ["--lazy", disk]);
  await rm(disk, { recursive: true, force: true });
});

/** Fills all the space that is left. */
function fill(): void {
  const file = openSync(join(disk, "ballast"), constants.O_CREAT | constants.O_WRONLY | constants.O_APPEND);
  for (let size = 1 << 20; size >= 1; ) {
    try {
      writeSync(file, Buffer.alloc(size));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
      size >>= 1;
    }
  }
  closeSync(file);
}

test.skipIf(!isMounted)(
  "on a full disk writes get 503; with space again everything resumes, and nothing is lost",
  {
    timeout: 300_000 + rounds.value * 60_000,
  },
  async () => {
    await using installation = await newInstallation({}, disk);
    const service = await installation.start();
    await using load = await startLoad(installation, { seed: seed.value });
    for (let i = 0; i < rounds.value; i++) {
      await load.more(20, patienceMs);
      const before = load.refusals;
      const healthy = await scrape(installation);
      fill();
      await eventually(() => {
        // Files that PostgreSQL recycles or truncates become free space again.
        fill();
        return load.refusals > before + 100;
      }, patienceMs);
      const alerts = ["MostradorDiscoLleno"];
      if (hasPromtool) expect(alertsProblem(healthy, await scrape(installation), alerts, alerts)).toBe("");
      await rm(join(disk, "ballast"));
      await load.more(5, withinMs);
      await eventually(async () => (await fetch(`${installation.adminUrl}/readyz`)).status === 200, withinMs);
    }
    await load.end();
    await installation.ask((pool) => drained(pool, 200_000));
    await load.endReading();
    expect(await installation.ask((pool) => loadProblems(pool, installation, load))).toEqual([]);
    expect(await service.stop()).toBe(0);
  },
);
