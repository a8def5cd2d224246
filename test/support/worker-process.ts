import { pino } from "pino";
import { accessCache } from "../../src/access/api-keys/access-cache.ts";
import { readConfig } from "../../src/config.ts";
import { dailyPartitions } from "../../src/db/partitions.ts";
import { createPool } from "../../src/db/pool.ts";
import type { Deps } from "../../src/deps.ts";
import { shiftedClock } from "../../src/lib/clock.ts";
import { dailyTables } from "../../src/operations/daily-tables.ts";
import { startWebhookWorker } from "../../src/webhooks/queue/worker.ts";

// A webhook worker in a process of its own, to be killed: `--only workers` without what only a person needs.

const pool = createPool({
  url: process.env.TEST_DATABASE_URL!,
  max: 4,
  applicationName: process.env.TEST_APPLICATION_NAME!,
});
const config = readConfig(JSON.parse(process.env.TEST_SETTINGS!));
const deps: Deps = {
  config,
  pool,
  clock: shiftedClock(),
  log: pino({ level: "silent" }),
  partitions: dailyPartitions(pool, dailyTables),
  access: accessCache(pool),
};
const worker = startWebhookWorker(deps);
process.send?.("ready");
process.on("SIGTERM", () => {
  void worker.stop().then(() => process.exit(0));
});
process.on("disconnect", () => process.exit(0));
