import { chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createPool } from "../../src/db/create-pool.ts";
import { migrate } from "../../src/db/migrate.ts";
import {
  hasDebianPostgres,
  newServer,
  ownedFolder,
  shell,
  stopServers,
  withoutDebianPostgres,
} from "../support/debian-postgres.ts";
import { query } from "../support/embedded.ts";
import { sharedFolder } from "../support/fixtures.ts";
import { mostrador, mostradorJson, projectDir, startMostrador } from "../support/process.ts";
import { serve } from "../support/service.ts";

const folder = sharedFolder("mostrador-dump-");
afterAll(stopServers);

const guide = readFileSync(join(projectDir, "docs/operations.md"), "utf8");
/** The lines of the guide, in the order of an operator, that begin with one of these programs. */
const documented = (section: string, ...programs: string[]) =>
  (guide.split(`## ${section}\n`)[1] ?? "")
    .split(/^## /m)[0]!
    .split("\n")
    .map((line) => line.trimStart())
    .filter((line) => programs.some((program) => line.startsWith(`${program} `)))
    .map((line) => line.replace(/ {3,}.*$/, ""));

test("a dump is restored by the guide's own commands, as the server's superuser, and belongs to the service's role afterwards", {
  timeout: 300_000,
}, async (context) => {
  if (!hasDebianPostgres) return context.skip(withoutDebianPostgres);
  chmodSync(folder.path, 0o777);
  const server = await newServer(folder.path, "server", "postgres");
  await server.start();
  await query(server.url("postgres"), "create role mostrador login");
  await query(server.url("postgres"), "create database mostrador owner mostrador encoding 'UTF8' template template0");
  const DATABASE_URL = `postgres://mostrador@127.0.0.1:${server.port}/mostrador`;
  const settings = { DATABASE_URL, SECRET_KEY: "k".repeat(32) };
  const pool = createPool({ url: DATABASE_URL, max: 1 });
  await migrate(pool);
  await pool.end();
  const used = await serve(DATABASE_URL, settings);
  const { key, api } = await used.business();
  expect((await api.post("/customers", { name: "Antes de la copia" })).status).toBe(201);

  const env = { PGHOST: "127.0.0.1", PGPORT: String(server.port), PGUSER: "postgres", DATABASE_URL };
  const cwd = ownedFolder(join(folder.path, "backup"));
  const backup = documented("Backup and restore", "pg_dump", "pg_restore --list");
  expect(backup.length).toBeGreaterThan(0);
  expect(shell(backup.join("\n"), env, cwd)).toMatchObject({ status: 0 });
  expect((await api.post("/customers", { name: "Después de la copia" })).status).toBe(201);
  await used[Symbol.asyncDispose]();

  const restore = documented(
    "Backup and restore",
    "createdb",
    "pg_restore --exit-on-error",
    "psql postgres -c 'alter database mostrador rename",
  );
  expect(restore).toHaveLength(3);
  expect(shell(restore.join("\n"), env, cwd)).toMatchObject({ status: 0 });

  const others = await query(
    `postgres://postgres@127.0.0.1:${server.port}/mostrador`,
    "select relname from pg_class where relnamespace = 'public'::regnamespace and pg_get_userbyid(relowner) <> 'mostrador'",
  );
  expect(others).toEqual([]);
  await mostradorJson(["device", "reload"], settings);
  expect(await mostradorJson(["verify"], settings)).toMatchObject({ records: 1, problems: [] });
  // What a service does and a command does not: it makes partitions, drops them, and migrates.
  const service = await startMostrador(settings);
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json", "idempotency-key": "una" };
  const list = await (await fetch(`${service.url}/public/v1/customers`, { headers })).json();
  expect((list as { data: { name: string }[] }).data.map(({ name }) => name)).toEqual(["Antes de la copia"]);
  const body = JSON.stringify({ name: "Después de restaurar" });
  const made = await fetch(`${service.url}/public/v1/customers`, { method: "POST", headers, body });
  expect(made.status).toBe(201);
  expect(await service.stop()).toBe(0);
  expect((await mostrador(["migrate"], settings)).code).toBe(0);
  await server.stop();
});
