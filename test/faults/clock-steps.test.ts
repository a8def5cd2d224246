import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hour } from "../../src/lib/clock.ts";
import { newInstallation } from "../support/installation.ts";
import { longRun } from "../support/long-run.ts";
import { startLoad } from "../support/mixed-load.ts";
import { drained, loadProblems } from "../support/mixed-load-checks.ts";
import { eventually } from "../support/webhooks.ts";

const rounds = longRun("FAULT_CLOCKS", 1);
const seed = longRun("FAULT_SEED", 1);
const patienceMs = 15_000;
/** Where the service's clock stands against the machine's. It ends ahead, so that whatever was put off comes due. */
const stands = [hour, 0, -hour, 0, hour];

test("the service's clock steps by an hour to and fro under load: order, cursors and deliveries stay right", {
  timeout: 60_000 + rounds.value * 60_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), "mostrador-clock-"));
  const file = join(folder, "offset");
  const settings = {
    NODE_OPTIONS: `--import=${new URL("../support/stepped-clock.ts", import.meta.url).href}`,
    STEPPED_CLOCK: file,
  };
  // A receiver refuses signatures that are old, and this one's clock is behind whatever the sender's says.
  await using installation = await newInstallation(settings, undefined, () => new Date(Date.now() - hour));
  const service = await installation.start();
  await using load = await startLoad(installation, { seed: seed.value });
  for (const stand of Array.from({ length: rounds.value }, () => stands).flat()) {
    await load.more(20, patienceMs);
    await writeFile(file, String(stand));
    service.process.kill("SIGUSR2");
    const delivered = load.arrivals.size;
    await load.more(20, patienceMs);
    await eventually(() => load.arrivals.size > delivered + 20, patienceMs);
  }
  await load.end();
  await installation.ask((pool) => drained(pool, 90_000, hour));
  await load.endReading();
  expect(await installation.ask((pool) => loadProblems(pool, installation, load))).toEqual([]);
  expect(await service.stop()).toBe(0);
  await rm(folder, { recursive: true, force: true });
});
