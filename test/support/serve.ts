import { buildApp } from "../../src/app.ts";
import { readConfig } from "../../src/config.ts";
import { createPool } from "../../src/db/create-pool.ts";
import { makeDeps } from "../../src/operations/make-deps.ts";

// The public API in a separate process, for a test to kill. Prints its address once it listens.
const [databaseUrl, applicationName] = process.argv.slice(2) as [string, string];
const config = readConfig({ SECRET_KEY: "k".repeat(32), LOG_LEVEL: "silent", RATE_LIMIT_PER_SECOND: "0" });
const pool = createPool({ url: databaseUrl, applicationName });
const app = buildApp(makeDeps(pool, config));
console.log(await app.listen({ port: 0, host: "127.0.0.1" }));
