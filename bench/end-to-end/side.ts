import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { syncClient } from "../../register/sync-client.ts";
import { createPool } from "../../src/db/create-pool.ts";
import { startEmbedded } from "../../src/db/embedded.ts";
import type { Pool } from "../../src/db/pool.ts";
import { sql } from "../../src/db/sql.ts";
import { secretBox } from "../../src/webhooks/endpoints/secret-box.ts";
import { freePort } from "../../test/support/process.ts";
import { cpuMeter } from "../support/cpu.ts";
import { residentMegabytes } from "../support/memory.ts";

/** A service on a PostgreSQL of its own, with businesses whose webhooks go to the receiver. */
export interface Side {
  url: string;
  pool: Pool;
  accounts: readonly string[];
  /** An API key of each business. */
  keys: readonly string[];
  /** The token of a register of each business, if it was asked for. */
  registers: readonly string[];
  /** The events that are delivered. */
  types: readonly string[];
  /** Seconds of processor used so far. */
  cpuSeconds(): Spent;
  memoryMegabytes(): Promise<number>;
  stop(): Promise<void>;
}

export interface Spent {
  service: number;
  database: number;
}

export interface Shops {
  accounts: number;
  /** Where the receiver takes the events. */
  path: string;
  types: readonly string[];
  /** Whether each has a register. */
  registers?: boolean;
}

export interface ReceiverAddress {
  host: string;
  port: number;
  caFile: string;
}

export const sideSecretKey = "0123456789abcdef0123456789abcdef";

/** A checkout, by its own `npm start`. */
export async function startSide(checkout: string, receiver: ReceiverAddress, shops: Shops): Promise<Side> {
  return openSide(checkout, receiver, shops, async (env, url) => {
    const service = spawn(process.execPath, await startArguments(checkout), {
      cwd: checkout,
      env,
      stdio: ["ignore", "ignore", "inherit"],
    });
    while (!(await fetch(`${url}/public/v1/openapi.json`).catch(() => undefined))?.ok) {
      if (service.exitCode !== null) throw new Error(`the service of ${checkout} ended with ${service.exitCode}`);
      await delay(100);
    }
    return service;
  });
}

/** The bare handler of bare-server.ts, on the tables of the checkout. */
export async function startBareSide(checkout: string, receiver: ReceiverAddress, shops: Shops): Promise<Side> {
  return openSide(checkout, receiver, shops, async (env, _url, businesses) => {
    const file = fileURLToPath(new URL("./bare-server.ts", import.meta.url));
    const given = JSON.stringify({ businesses, receiver, path: shops.path });
    const server = spawn(process.execPath, [file, given], { env, stdio: ["ignore", "pipe", "inherit"] });
    await once(server.stdout!, "data");
    return server;
  });
}

export interface Business {
  accountId: string;
  endpointId: string;
  key: string;
}

async function openSide(
  checkout: string,
  receiver: ReceiverAddress,
  { accounts, path, types, registers = false }: Shops,
  start: (env: NodeJS.ProcessEnv, url: string, businesses: readonly Business[]) => Promise<ChildProcess>,
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
  const url = env.PUBLIC_URL;
  const pool = createPool({ url: postgres.url, max: 4 });
  // On a database with businesses, `start` builds no demo.
  await promisify(execFile)(process.execPath, [join(checkout, "src/main.ts"), "migrate"], { cwd: checkout, env });
  const businesses: Business[] = [];
  const endpoint = { url: `https://${receiver.host}${path}`, types };
  for (let i = 0; i < accounts; i++) businesses.push(await openBusiness(checkout, env, pool, endpoint));
  const service = await start(env, url, businesses);
  const cpu = await cpuMeter(pool);
  return {
    url,
    pool,
    accounts: businesses.map(({ accountId }) => accountId),
    keys: businesses.map(({ key }) => key),
    registers: registers ? await Promise.all(businesses.map((one) => enrol(checkout, env, url, one))) : [],
    types,
    cpuSeconds: () => ({ service: cpu([service.pid!]) - cpu([]), database: cpu([]) }),
    memoryMegabytes: () => residentMegabytes(service.pid!),
    async stop() {
      await pool.end();
      service.kill("SIGTERM");
      if (service.exitCode === null) await once(service, "exit");
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** What the checkout's `npm start` gives to Node. */
async function startArguments(checkout: string): Promise<string[]> {
  const { scripts } = JSON.parse(await readFile(join(checkout, "package.json"), "utf8"));
  const [, args] = /exec node_modules\/\.bin\/node (.+)$/.exec(scripts.start)!;
  return args!.split(" ");
}

/** By the checkout's own commands, but for the endpoint, which an owner would confirm with a mailed code. */
async function openBusiness(
  checkout: string,
  env: NodeJS.ProcessEnv,
  pool: Pool,
  { url, types }: { url: string; types: readonly string[] },
): Promise<Business> {
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
  return { accountId: accountId!, endpointId, key: key! };
}

/** Links a register, and returns its token. */
async function enrol(checkout: string, env: NodeJS.ProcessEnv, url: string, business: Business): Promise<string> {
  const { code } = await command(checkout, env, ["device", "enrol", "--account", business.accountId, "--name", "Caja"]);
  const { token } = await syncClient(url).enrol(code!, "Caja");
  return token;
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
