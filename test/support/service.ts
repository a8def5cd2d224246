import { randomBytes, randomUUID } from "node:crypto";
import type { FastifyInstance } from "fastify";
import pg from "pg";
import { inject } from "vitest";
import { insertAccount, type Plan } from "../../src/access/accounts/create-account.ts";
import { createKey, type NewKey } from "../../src/access/api-keys/create-key.ts";
import { buildApp } from "../../src/app.ts";
import { type Config, readConfig } from "../../src/config.ts";
import { createPool } from "../../src/db/create-pool.ts";
import { transaction } from "../../src/db/transaction.ts";
import type { Deps } from "../../src/deps.ts";
import { type Scope, scopes } from "../../src/engine/resources/scopes.ts";
import { uuidv7 } from "../../src/lib/ids.ts";
import { makeDeps } from "../../src/operations/make-deps.ts";
import { citusTemplate } from "./citus.ts";
import { type Answer, type ApiClient, apiClient } from "./client.ts";
import { eventually } from "./eventually.ts";
import { watchLockOrder } from "./lock-order.ts";

export interface Service extends AsyncDisposable {
  deps: Deps;
  app: FastifyInstance;
  baseUrl: string;
  databaseUrl: string;
  /** A new Pro account with a key of all scopes, and a client that uses it. */
  business(options?: { plan?: Plan; scopes?: readonly Scope[] }): Promise<Business>;
  /** Another key of an account, with all scopes by default, and a client that uses it. */
  key(accountId: string, options?: Partial<Omit<NewKey, "accountId">>): Promise<Omit<Business, "accountId">>;
  /** A client with the given headers and no key. */
  client(headers?: Record<string, string>): ApiClient;
  /** A second process on the same database: its own port, pool, caches and limits. */
  sibling(settings?: Record<string, string>): Promise<Service>;
}

export interface Business {
  accountId: string;
  keyId: string;
  key: string;
  api: ApiClient;
}

export type { Answer };

/** A new database: copies of the migrated template's files, which takes a third of the processor that logging their pages would. */
export async function freshDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  const url = new URL(inject("databaseUrl"));
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await onServer(`create database ${name} template template strategy file_copy`);
  url.pathname = `/${name}`;
  // A daemon of Citus connects again at once.
  const drop = async () => {
    await eventually(() => onServer(`drop database if exists ${name} with (force)`).then(() => true, isInUse));
  };
  return { url: url.href, drop };
}

/** A new database without a schema; with CITUS_URL on every node of that Citus. */
export async function emptyDatabase(): Promise<{ url: string } & AsyncDisposable> {
  const name = `empty_${randomBytes(8).toString("hex")}`;
  if (process.env.CITUS_URL) {
    const { nodes, drop } = await citusTemplate(process.env.CITUS_URL, name);
    return { url: nodes[0]!, [Symbol.asyncDispose]: drop };
  }
  await onServer(`create database ${name} template template0 encoding 'UTF8'`);
  const url = new URL(inject("databaseUrl"));
  url.pathname = `/${name}`;
  return { url: url.href, [Symbol.asyncDispose]: () => onServer(`drop database if exists ${name} with (force)`) };
}

function isInUse(error: { code?: string }): false {
  if (error.code === "55006") return false;
  throw error;
}

/** Runs a statement about databases on the server's own one; on Citus, on that of every node. */
export async function onServer(text: string): Promise<void> {
  for (const server of inject("serverUrls")) await onOne(server, text);
}

async function onOne(server: string, text: string): Promise<void> {
  const url = new URL(server);
  url.pathname = "/postgres";
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    // Cloning needs the template exclusively for an instant; another file may be cloning it too.
    await client.query("select pg_advisory_lock(1)");
    await client.query(text);
  } finally {
    await client.end();
  }
}

/** Asking for a second connection while holding one is always a fault: every test with a service checks for it. */
export function refuseSecond(error: Error): never {
  throw error;
}

/** The whole service in this process, on a real port and a real PostgreSQL. */
export async function startService(settings: Record<string, string> = {}, own: Partial<Deps> = {}): Promise<Service> {
  const database = await freshDatabase();
  const secret = { SECRET_KEY: randomBytes(32).toString("hex") };
  return serve(database.url, { ...secret, ...settings }, database.drop, own);
}

/** The same on a migrated database of the caller's. */
export async function serve(
  databaseUrl: string,
  settings: Record<string, string>,
  afterwards: () => Promise<void> = async () => {},
  own: Partial<Deps> = {},
): Promise<Service> {
  const config: Config = readConfig({
    LOG_LEVEL: "silent",
    RATE_LIMIT_PER_SECOND: "0",
    PUBLIC_URL: "http://127.0.0.1:3000",
    // Tests read their codes there, whatever proxies and addresses they pretend.
    ...(!settings.SMTP_URL && settings.ENVIRONMENT !== "live" && { DEV_MAIL: "on" }),
    ...settings,
  });
  const pool =
    own.pool ?? createPool({ url: databaseUrl, max: 48, connectMs: 30_000, onNestedConnection: refuseSecond });
  watchLockOrder(pool);
  const deps: Deps = makeDeps(pool, config, {
    ...own,
    // Most tests call faster than any business, so this limit is off as well.
    traffic: { portalBurst: 1_000_000, ...own.traffic },
  });
  const app = buildApp(deps);
  const baseUrl = await app.listen({ port: Number(settings.PORT ?? 0), host: "127.0.0.1" });
  const service: Service = {
    deps,
    app,
    baseUrl,
    databaseUrl,
    client: (headers = {}) => apiClient(baseUrl, headers),
    sibling: (other = {}) => serve(databaseUrl, { ...settings, ...other }),
    async key(accountId, options) {
      const { id: keyId, key } = await createKey(deps, { accountId, name: "prueba", scopes, ...options });
      return { keyId, key, api: apiClient(baseUrl, { authorization: `Bearer ${key}` }) };
    },
    async business({ plan = "pro", scopes: granted = scopes } = {}) {
      const accountId = await newAccount(deps, plan);
      return { accountId, ...(await service.key(accountId, { scopes: granted })) };
    },
    async [Symbol.asyncDispose]() {
      await app.close();
      await pool.end();
      await afterwards();
    },
  };
  return service;
}

/** The settings that a live installation needs. The tests' requests name the address it listens on as their host. */
export function liveSettings(others: Record<string, string> = {}): Record<string, string> {
  return {
    ENVIRONMENT: "live",
    SMTP_URL: "smtp://localhost",
    MAIL_FROM: "Tienda <avisos@tienda.example>",
    PUBLIC_URL: "https://127.0.0.1",
    ...others,
  };
}

/**
 * An account as createAccount makes it, without the 0.2 s of hashing a password: nobody signs in to it. It has no warehouse, like
 * those from before accounts were born with one; `newborn` has all that a new business has.
 */
async function newAccount({ pool, clock }: Deps, plan: Plan): Promise<string> {
  const now = clock.now();
  const id = uuidv7(now);
  const account = { id, name: "Tienda de prueba", email: `${id}@example.com`, passwordHash: "none", plan, now };
  await transaction(pool, (client) => insertAccount(client, account));
  return id;
}
