import { spawnSync } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, inject, test } from "vitest";
import { createPool } from "../../src/db/create-pool.ts";
import { shared, sharedFolder } from "../support/fixtures.ts";
import { mostrador, mostradorJson, type StartedService, startMostrador } from "../support/process.ts";
import { onServer, startService } from "../support/service.ts";

const folder = sharedFolder("mostrador-restore-");
let service: StartedService | undefined;
const env = shared(() => ({
  DATA_DIR: join(folder.path, "data"),
  ENVIRONMENT: "live",
  SECRET_KEY: randomBytes(32).toString("hex"),
  MAIL_FROM: "avisos@tienda.example",
  SMTP_URL: "smtp://127.0.0.1:1",
  PUBLIC_URL: "https://127.0.0.1",
}));
afterAll(async () => {
  await service?.stop();
});

const command = (...args: string[]) => mostradorJson(args, env, "clave-larga\n");

// biome-ignore lint/suspicious/noExplicitAny: answers as a client reads them
async function call(path: string, bearer?: string, body?: object): Promise<{ status: number; body: any }> {
  const answer = await fetch(`${service!.url}${path}`, {
    method: body ? "POST" : "GET",
    headers: {
      ...(bearer && { authorization: `Bearer ${bearer}` }),
      ...(body && { "content-type": "application/json", "idempotency-key": randomUUID() }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: await answer.json() };
}

test("a copy of a stopped DATA_DIR is restored: it verifies, and after `device reload` registers start over", async () => {
  service = await startMostrador(env);
  expect(service.banner).toContain("ningún documento llega a la DIAN");
  const owner = ["--name", "Tienda", "--email", "titular@example.com", "--password", "-"];
  const account = await command("account", "create", ...owner);
  const { key } = await command("key", "create", "--account", account.id, "--scopes", "customers:write,customers:read");
  const { code } = await command("device", "enrol", "--account", account.id, "--name", "Caja 1");
  const { token } = (await call("/sync/v1/enrol", undefined, { code, name: "Caja 1", app_version: "1" })).body;
  expect((await call("/public/v1/customers", key, { name: "Antes de la copia" })).status).toBe(201);
  const kept = (await call("/sync/v1/changes", token)).body;
  await service.stop();
  await cp(env.DATA_DIR!, join(folder.path, "copy"), { recursive: true, preserveTimestamps: true });

  service = await startMostrador(env);
  expect((await call("/public/v1/customers", key, { name: "Después de la copia" })).status).toBe(201);
  const ahead = (await call(`/sync/v1/changes?cursor=${kept.cursor}`, token)).body;
  expect(ahead.changes).toHaveLength(1);
  await service.stop();

  await rm(env.DATA_DIR!, { recursive: true });
  await cp(join(folder.path, "copy"), env.DATA_DIR!, { recursive: true, preserveTimestamps: true });
  expect((await command("device", "reload")).epoch).not.toBe(kept.epoch);
  expect((await command("verify")).problems).toEqual([]);
  service = await startMostrador(env);
  for (const { cursor } of [kept, ahead]) {
    const { status, body } = await call(`/sync/v1/changes?cursor=${cursor}`, token);
    expect([status, body.error.code]).toEqual([410, "CURSOR_EXPIRED"]);
  }
  const { body: anew } = await call("/sync/v1/changes", token);
  expect(anew.changes.map(({ data }: { data: { name: string } }) => data.name)).toEqual([
    "Principal",
    "Antes de la copia",
  ]);
  expect(anew.epoch).not.toBe(kept.epoch);
}, 300_000);

/** PostgreSQL's tools only read servers that are no newer than they are. */
async function canDump(): Promise<boolean> {
  const { stdout } = spawnSync("pg_dump", ["--version"], { encoding: "utf8" });
  const pool = createPool({ url: inject("databaseUrl"), max: 1 });
  const { rows } = await pool.query<{ version: string }>("select current_setting('server_version_num') as version");
  await pool.end();
  return Number(/ (\d+)\./.exec(stdout ?? "")?.[1] ?? 0) >= Math.floor(Number(rows[0]!.version) / 10_000);
}

function run(tool: string, ...args: string[]): void {
  const { status, stderr } = spawnSync(tool, args, { encoding: "utf8" });
  expect({ tool, status, stderr }).toEqual({ tool, status: 0, stderr: "" });
}

test("a dump is restored into a new database without an error, and verifies", async (context) => {
  if (!(await canDump())) return context.skip("pg_dump is missing, or older than the server");
  const used = await startService();
  const { api } = await used.business();
  expect((await api.post("/customers", { name: "Antes de la copia" })).status).toBe(201);
  const dump = join(folder.path, "mostrador.dump");
  run("pg_dump", "--format=custom", `--file=${dump}`, used.databaseUrl);
  const restored = new URL(used.databaseUrl);
  restored.pathname += "_restored";
  const name = restored.pathname.slice(1);
  await onServer(`create database ${name} template template0 encoding 'UTF8'`);
  run("pg_restore", "--exit-on-error", "--no-owner", `--dbname=${restored.href}`, dump);
  const { code, stdout } = await mostrador(["verify", "--json"], { DATABASE_URL: restored.href });
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { records: 1, problems: [] }]);
  await used[Symbol.asyncDispose]();
  await onServer(`drop database ${name}`);
}, 300_000);
