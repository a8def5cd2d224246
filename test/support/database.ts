import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { createPool } from "../../src/db/create-pool.ts";
import { distribute } from "../../src/db/distribute.ts";
import { startEmbedded } from "../../src/db/embedded.ts";
import { migrate } from "../../src/db/migrate.ts";
import { dailyPartitions } from "../../src/db/partitions.ts";
import { dailyTables } from "../../src/operations/daily-tables.ts";
import { citusTemplate } from "./citus.ts";

declare module "vitest" {
  interface ProvidedContext {
    databaseUrl: string;
    /** The servers on which each database is made: one, or all nodes of a Citus, the coordinator first. */
    serverUrls: string[];
  }
}

/**
 * One PostgreSQL for the whole run, embedded, TEST_DATABASE_URL or the Citus of CITUS_URL, with a migrated template that
 * each file clones.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { TEST_DATABASE_URL: given, CITUS_URL: citus } = process.env;
  const server = citus ? await onCitus(citus) : given ? await onGivenServer(given) : await startOwnServer();
  const pool = createPool({ url: server.url });
  await migrate(pool);
  if (citus) {
    await distribute(pool);
    await dailyPartitions(pool, dailyTables).ensure(new Date());
  }
  await pool.end();
  await server.close?.();
  project.provide("databaseUrl", server.url);
  project.provide("serverUrls", server.nodes ?? [server.url]);
  return server.stop;
}

interface Server {
  /** The address of the empty database that becomes the template. */
  url: string;
  nodes?: string[];
  /** Ends what would keep the template from being cloned. */
  close?(): Promise<void>;
  stop(): Promise<void>;
}

/** Faster settings, since nothing here needs to survive a crash. */
async function startOwnServer(): Promise<Server> {
  const dataDir = await mkdtemp(join(tmpdir(), "mostrador-test-"));
  const postgres = await startEmbedded({
    dataDir,
    database: "template",
    settings: { fsync: "off", synchronous_commit: "off", full_page_writes: "off", max_connections: "300" },
  });
  return {
    url: postgres.url,
    async stop() {
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function onCitus(given: string): Promise<Server> {
  const { nodes, close, drop } = await citusTemplate(given);
  return { url: nodes[0]!, nodes, close, stop: drop };
}

async function onGivenServer(given: string): Promise<Server> {
  const outside = createPool({ url: given });
  const drop = "drop database if exists template with (force)";
  await outside.query(drop);
  await outside.query("create database template template template0 encoding 'UTF8'");
  const url = new URL(given);
  url.pathname = "/template";
  return {
    url: url.href,
    async stop() {
      await outside.query(drop);
      await outside.end();
    },
  };
}
