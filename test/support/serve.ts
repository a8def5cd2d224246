import { pino } from "pino";
import { accessCache } from "../../src/access/api-keys/access-cache.ts";
import { buildApp } from "../../src/app.ts";
import { readConfig } from "../../src/config.ts";
import { dailyPartitions } from "../../src/db/partitions.ts";
import { createPool } from "../../src/db/pool.ts";
import { shiftedClock } from "../../src/lib/clock.ts";
import { dailyTables } from "../../src/operations/daily-tables.ts";

// The public API in a process of its own, for a test to kill. Prints its address once it listens.
const [databaseUrl, applicationName] = process.argv.slice(2) as [string, string];
const config = readConfig({ SECRET_KEY: "k".repeat(32), LOG_LEVEL: "silent", RATE_LIMIT_PER_SECOND: "0" });
const pool = createPool({ url: databaseUrl, applicationName });
const app = buildApp({
  config,
  pool,
  clock: shiftedClock(),
  log: pino({ level: "silent" }),
  partitions: dailyPartitions(pool, dailyTables),
  access: accessCache(pool),
});
console.log(await app.listen({ port: 0, host: "127.0.0.1" }));
