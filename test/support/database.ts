import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { startEmbedded } from "../../src/db/embedded.ts";
import { migrate } from "../../src/db/migrate.ts";
import { createPool } from "../../src/db/pool.ts";

declare module "vitest" {
  interface ProvidedContext {
    databaseUrl: string;
  }
}

/** One PostgreSQL for the whole run, embedded or TEST_DATABASE_URL, with a migrated template that each file clones. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.TEST_DATABASE_URL;
  const server = given ? await onGivenServer(given) : await startOwnServer();
  const pool = createPool({ url: server.url });
  await migrate(pool);
  await pool.end();
  project.provide("databaseUrl", server.url);
  return server.stop;
}

interface Server {
  /** The address of the empty database that becomes the template. */
  url: string;
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
