import { type ChildProcess, fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withAccountLock } from "../../src/access/accounts/account-lock.ts";
import { insertAccount } from "../../src/access/accounts/create-account.ts";
import { readConfig } from "../../src/config.ts";
import { createPool } from "../../src/db/create-pool.ts";
import { startEmbedded } from "../../src/db/embedded.ts";
import { migrate } from "../../src/db/migrate.ts";
import { sql } from "../../src/db/sql.ts";
import type { Deps } from "../../src/deps.ts";
import { eventTypes } from "../../src/engine/events/event-types.ts";
import { uuidv7 } from "../../src/lib/ids.ts";
import { makeDeps, onPool } from "../../src/operations/make-deps.ts";
import { createEndpoint } from "../../src/webhooks/endpoints/create-endpoint.ts";
import { secretBox } from "../../src/webhooks/endpoints/secret-box.ts";
import { type Network, trustedAuthorities } from "../../src/webhooks/sending/connection.ts";
import { dnsResolver } from "../../src/webhooks/sending/resolve-host.ts";

/** A database with the service's schema, and an HTTPS receiver in another process. */
export interface Stage {
  deps: Deps;
  /** The same, with a separate pool for the worker, as in the service. */
  workerDeps: Deps;
  network: Network;
  receiver: { port: number; cert: string; report(): Promise<{ count: number; arrived: [string, string][] }> };
  account(): Promise<string>;
  endpoint(accountId: string, path: string): Promise<string>;
  /** Adds events of about 1.5 KB and their pending deliveries to the endpoint, as a write would. */
  backlog(accountId: string, endpointId: string, count: number): Promise<void>;
  close(): Promise<void>;
}

const host = "bench.example.com";

export async function startStage(): Promise<Stage> {
  const dataDir = await mkdtemp(join(tmpdir(), "mostrador-bench-"));
  const postgres = await startEmbedded({
    dataDir,
    settings: { shared_preload_libraries: "pg_stat_statements", "pg_stat_statements.track": "top" },
  });
  const pool = createPool({ url: postgres.url });
  await migrate(pool);
  await pool.query("create extension if not exists pg_stat_statements");
  const config = readConfig({ SECRET_KEY: "0123456789abcdef0123456789abcdef", LOG_LEVEL: "silent", DATA_DIR: dataDir });
  const deps = makeDeps(pool, config);
  await deps.partitions.ensure(deps.clock.now());
  const child = fork(new URL("./webhook-receiver.ts", import.meta.url), { execPath: process.execPath });
  const [{ port, cert }] = (await once(child, "message")) as [{ port: number; cert: string }];
  const caFile = join(dataDir, "receiver.pem");
  await writeFile(caFile, cert);
  const workerPool = createPool({ url: postgres.url, max: 4 });
  return {
    deps,
    workerDeps: { ...deps, ...onPool(workerPool) },
    network: {
      resolve: dnsResolver(),
      fixed: new Map([[host, { address: "127.0.0.1", port }]]),
      secureContext: trustedAuthorities(caFile),
    },
    receiver: { port, cert, report: () => requestReport(child) },
    async account() {
      const now = deps.clock.now();
      const id = uuidv7(now);
      const email = `${id}@example.com`;
      await insertAccount(pool, { id, name: "Tienda", email, passwordHash: "none", plan: "pro", now });
      return id;
    },
    async endpoint(accountId, path) {
      const { id } = await withAccountLock(deps, accountId, (client) =>
        createEndpoint(
          client,
          secretBox(config.secretKey),
          accountId,
          { url: `https://${host}${path}`, event_types: eventTypes },
          deps.clock.now(),
        ),
      );
      return id;
    },
    async backlog(accountId, endpointId, count) {
      for (let done = 0; done < count; done += 5_000)
        await insertBacklog(deps, accountId, endpointId, Math.min(5_000, count - done));
    },
    async close() {
      child.disconnect();
      await pool.end();
      await workerPool.end();
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function requestReport(child: ChildProcess): Promise<{ count: number; arrived: [string, string][] }> {
  const report = once(child, "message");
  child.send("report");
  return (await report)[0] as { count: number; arrived: [string, string][] };
}

async function insertBacklog(
  { pool, clock }: Deps,
  accountId: string,
  endpointId: string,
  count: number,
): Promise<void> {
  const at = clock.now();
  const ids = Array.from({ length: count }, () => uuidv7(at));
  const object = JSON.stringify({ object: "sale", id: randomUUID(), notes: "x".repeat(1_350) });
  await pool.query(sql`
    with recorded as (
      insert into events (account_id, created_at, id, seq, type, body)
      select ${accountId}, ${at}, id, 1, 'sale.created', ('{"object":"event","id":"' || id || '","type":"sale.created","created_at":"'
        || ${at.toISOString()}::text || '","data":{"object":' || ${object}::text || '}}')::json
      from unnest(${ids}::uuid[]) as id)
    insert into webhook_queue (account_id, endpoint_id, due_at, id, created_at, event_id, event_type)
    select ${accountId}, ${endpointId}, ${at}, (left(id::text, 15) || substr(gen_random_uuid()::text, 16))::uuid, ${at}, id, 'sale.created'
    from unnest(${ids}::uuid[]) as id`);
}
