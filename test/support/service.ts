import { randomBytes, randomUUID } from "node:crypto";
import type { FastifyInstance } from "fastify";
import pg from "pg";
import { pino } from "pino";
import { inject } from "vitest";
import type { Plan } from "../../src/access/accounts/create-account.ts";
import { accessCache } from "../../src/access/api-keys/access-cache.ts";
import { createKey, type NewKey } from "../../src/access/api-keys/create-key.ts";
import { buildApp } from "../../src/app.ts";
import { type Config, readConfig } from "../../src/config.ts";
import { dailyPartitions } from "../../src/db/partitions.ts";
import { createPool } from "../../src/db/pool.ts";
import { sql } from "../../src/db/sql.ts";
import type { Deps } from "../../src/deps.ts";
import { deliverySignal } from "../../src/engine/deliveries/delivery-signal.ts";
import { type Scope, scopes } from "../../src/engine/resources/scopes.ts";
import { feedSignal } from "../../src/engine/writing/feed-signal.ts";
import { bell } from "../../src/lib/bell.ts";
import { shiftedClock } from "../../src/lib/clock.ts";
import { uuidv7 } from "../../src/lib/ids.ts";
import { dailyTables } from "../../src/operations/daily-tables.ts";
import { type Answer, type ApiClient, apiClient } from "./client.ts";

export interface Service extends AsyncDisposable {
  deps: Deps;
  app: FastifyInstance;
  baseUrl: string;
  databaseUrl: string;
  /** A new Pro account with a key of all scopes, and a client that speaks for it. */
  business(options?: { plan?: Plan; scopes?: readonly Scope[] }): Promise<Business>;
  /** One more key of an account, all scopes unless told otherwise, and a client that carries it. */
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

/** A database of its own, cloned from the migrated template in some 50 ms. */
export async function freshDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  const url = new URL(inject("databaseUrl"));
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await onServer(`create database ${name} template template`);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => onServer(`drop database if exists ${name} with (force)`) };
}

/** A statement about databases, from outside all of them. */
export async function onServer(text: string): Promise<void> {
  const url = new URL(inject("databaseUrl"));
  url.pathname = "/postgres";
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    // Cloning needs the template to itself for an instant; another file may be cloning it too.
    await client.query("select pg_advisory_lock(1)");
    await client.query(text);
  } finally {
    await client.end();
  }
}

/** A second connection while one is held is a fault wherever it happens: every test that serves watches for it. */
export function refuseSecond(error: Error): never {
  throw error;
}

/** The whole service in this process, on a real port and a real PostgreSQL. */
export async function startService(settings: Record<string, string> = {}, own: Partial<Deps> = {}): Promise<Service> {
  const database = await freshDatabase();
  const secret = { SECRET_KEY: randomBytes(32).toString("hex") };
  return serve(database.url, { ...secret, ...settings }, database.drop, own);
}

/** The same on a migrated database that the caller has. */
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
    ...settings,
  });
  const pool = own.pool ?? createPool({ url: databaseUrl, max: 48, connectMs: 30_000, onSecond: refuseSecond });
  const deps: Deps = {
    config,
    pool,
    clock: shiftedClock(),
    log: pino({ level: config.logLevel }),
    partitions: dailyPartitions(pool, dailyTables),
    access: accessCache(pool),
    deliveries: deliverySignal(),
    changes: bell(),
    mail: bell(),
    feed: feedSignal(),
    ...own,
    // As with keys, most tests are faster than any business.
    traffic: { portalBurst: 1_000_000, ...own.traffic },
  };
  const app = buildApp(deps);
  const baseUrl = await app.listen({ port: 0, host: "127.0.0.1" });
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

/** What a live installation must be told. Its own requests name it by the address it listens on. */
export function liveSettings(others: Record<string, string> = {}): Record<string, string> {
  return { ENVIRONMENT: "live", SMTP_URL: "smtp://localhost", PUBLIC_URL: "https://127.0.0.1", ...others };
}

/** An account as createAccount makes it, less the 0.2 s of its password's hash: nobody signs in to this one. */
async function newAccount({ pool, clock }: Deps, plan: Plan): Promise<string> {
  const now = clock.now();
  const id = uuidv7(now);
  await pool.query(sql`
    with account as (
      insert into accounts (id, name, email, password_hash, plan, created_at, updated_at)
      values (${id}, 'Tienda de prueba', ${`${id}@example.com`}, 'none', ${plan}, ${now}, ${now}))
    insert into account_clock (account_id, ts, records_events) values (${id}, ${now}, ${plan === "pro"})`);
  return id;
}
