import { pino } from "pino";
import { readConfig } from "../../src/config.ts";
import { createPool } from "../../src/db/create-pool.ts";
import { makeDeps } from "../../src/operations/make-deps.ts";
import { startWebhookWorker } from "../../src/webhooks/queue/worker.ts";

// A webhook worker in a separate process, for a test to kill.

const pool = createPool({
  url: process.env.TEST_DATABASE_URL!,
  max: 4,
  applicationName: process.env.TEST_APPLICATION_NAME!,
});
const config = readConfig(JSON.parse(process.env.TEST_SETTINGS!));
const worker = startWebhookWorker(makeDeps(pool, config, { log: pino({ level: "silent" }) }));
process.send?.("ready");
process.on("SIGTERM", () => {
  void worker.stop().then(() => process.exit(0));
});
process.on("disconnect", () => process.exit(0));
