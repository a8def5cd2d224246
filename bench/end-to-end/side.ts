import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { startEmbedded } from "../../src/db/embedded.ts";
import { createPool, type Pool } from "../../src/db/pool.ts";
import { sql } from "../../src/db/sql.ts";
import { secretBox } from "../../src/webhooks/endpoints/secret-box.ts";
import { freePort } from "../../test/support/process.ts";
import { cpuMeter } from "../support/cpu.ts";

/** One checkout's `mostrador start`, on a PostgreSQL of its own, with businesses whose webhooks go to the receiver. */
export interface Side {
  url: string;
  pool: Pool;
  accounts: readonly string[];
  /** An API key of each business. */
  keys: readonly string[];
  /** Seconds of processor that the service and its PostgreSQL have used so far. */
  cpuSeconds(): number;
  stop(): Promise<void>;
}

export interface ReceiverAddress {
  host: string;
  port: number;
  caFile: string;
}

export const sideSecretKey = "0123456789abcdef0123456789abcdef";

export async function startSide(
  checkout: string,
  receiver: ReceiverAddress,
  { accounts, path, types = ["customer.created"] }: { accounts: number; path: string; types?: readonly string[] },
): Promise<Side> {
  const dataDir = await mkdtemp(join(tmpdir(), "mostrador-bench-"));
  const postgres = await startEmbedded({ dataDir });
  const [port, adminPort] = [await freePort(), await freePort()];
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    DATABASE_URL: postgres.url,
    DATA_DIR: dataDir,
    PORT: String(port),
    ADMIN_PORT: String(adminPort),
    SECRET_KEY: sideSecretKey,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    RATE_LIMIT_PER_SECOND: "0",
    LOG_LEVEL: "warn",
    WEBHOOK_RESOLVE: `${receiver.host}=127.0.0.1:${receiver.port}`,
    WEBHOOK_CA_FILE: receiver.caFile,
  };
  const pool = createPool({ url: postgres.url, max: 4 });
  // On a database with businesses, `start` builds no demo.
  await promisify(execFile)(process.execPath, [join(checkout, "src/main.ts"), "migrate"], { cwd: checkout, env });
  const shops: Shop[] = [];
  const endpoint = { url: `https://${receiver.host}${path}`, types };
  for (let i = 0; i < accounts; i++) shops.push(await openShop(checkout, env, pool, endpoint));
  const service = await startService(checkout, env, `http://127.0.0.1:${port}/public/v1/openapi.json`);
  const cpu = await cpuMeter(pool);
  return {
    url: `http://127.0.0.1:${port}`,
    pool,
    accounts: shops.map(({ accountId }) => accountId),
    keys: shops.map(({ key }) => key),
    cpuSeconds: () => cpu([service.pid!]),
    async stop() {
      await pool.end();
      service.kill("SIGTERM");
      if (service.exitCode === null) await once(service, "exit");
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function startService(checkout: string, env: NodeJS.ProcessEnv, probe: string): Promise<ChildProcess> {
  const service = spawn(process.execPath, await startArguments(checkout), {
    cwd: checkout,
    env,
    stdio: ["ignore", "ignore", "inherit"],
  });
  for (;;) {
    if ((await fetch(probe).catch(() => undefined))?.ok) return service;
    if (service.exitCode !== null) throw new Error(`the service of ${checkout} ended with ${service.exitCode}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** What the checkout's `npm start` gives to Node. */
async function startArguments(checkout: string): Promise<string[]> {
  const { scripts } = JSON.parse(await readFile(join(checkout, "package.json"), "utf8"));
  const [, args] = /exec node_modules\/\.bin\/node (.+)$/.exec(scripts.start)!;
  return args!.split(" ");
}

interface Shop {
  accountId: string;
  key: string;
}

/** By the checkout's own commands, but for the endpoint, which an owner would confirm with a mailed code. */
async function openShop(
  checkout: string,
  env: NodeJS.ProcessEnv,
  pool: Pool,
  { url, types }: { url: string; types: readonly string[] },
): Promise<Shop> {
  const name = randomUUID();
  const owner = ["--name", name, "--email", `${name}@example.com`, "--password", "tres palabras que solo yo junto"];
  const { id: accountId } = await command(checkout, env, ["account", "create", ...owner]);
  const scopes = "customers:read,customers:write";
  const { key } = await command(checkout, env, ["key", "create", "--account", accountId!, "--scopes", scopes]);
  const endpointId = randomUUID();
  const secret = secretBox(sideSecretKey).seal(`whsec_${randomBytes(24).toString("base64url")}`, endpointId);
  const now = new Date();
  await pool.query(sql`
    insert into webhook_endpoints (account_id, id, url, event_types, status, secret, created_at, updated_at)
    values (${accountId}, ${endpointId}, ${url}, ${[...types]}, 'active', ${secret}, ${now}, ${now})`);
  await pool.query(sql`update account_clock set fans_out = true where account_id = ${accountId}`);
  return { accountId: accountId!, key: key! };
}

async function command(
  checkout: string,
  env: NodeJS.ProcessEnv,
  words: readonly string[],
): Promise<Record<string, string>> {
  const main = join(checkout, "src/main.ts");
  const { stdout } = await promisify(execFile)(process.execPath, [main, ...words, "--json"], { cwd: checkout, env });
  return JSON.parse(stdout);
}
