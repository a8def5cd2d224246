import { spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { createPool } from "../../src/db/create-pool.ts";
import { apiClient } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { shared } from "../support/fixtures.ts";
import { freePort, mostrador, startMostrador } from "../support/process.ts";
import { freshDatabase, onServer, serve } from "../support/service.ts";

/** Settings that other users of a shared database may have made. */
const oddSettings = {
  timezone: "'America/Bogota'",
  datestyle: "'German, DMY'",
  intervalstyle: "'sql_standard'",
  bytea_output: "'escape'",
  client_encoding: "'LATIN1'",
  search_path: "''",
  default_transaction_isolation: "'serializable'",
};

const service = shared(async () => {
  const database = await freshDatabase();
  const name = new URL(database.url).pathname.slice(1);
  for (const [setting, value] of Object.entries(oddSettings))
    await onServer(`alter database ${name} set ${setting} = ${value}`);
  return serve(database.url, { SECRET_KEY: "k".repeat(32) }, database.drop);
});

test("a database's own time zone, styles, encoding, search path and isolation level change nothing", async () => {
  const { api, accountId } = await service.business();
  const made = await api.post("/customers", { name: "Ñandú €" });
  expect(made.status).toBe(201);
  const listed = await api.get(`/customers?updated_since=${made.body.updated_at}`);
  expect(listed.body.data).toEqual([made.body]);
  const { rows } = await service.deps.pool.query<{ created_at: Date; shown: string }>(
    "select created_at, now()::text as shown from customers where account_id = $1",
    [accountId],
  );
  expect(rows[0]!.created_at.toISOString()).toBe(made.body.created_at);
  expect(rows[0]!.shown).toMatch(/^\d{4}-\d\d-\d\d .*\+00$/);
  const together = await Promise.all(
    ["Uno", "Dos", "Tres"].map((name) => api.patch(`/customers/${made.body.id}`, { name })),
  );
  expect(together.map(({ status }) => status)).toEqual([200, 200, 200]);
});

test("a schema created later with the role's name hides no table", async () => {
  const { url, drop } = await freshDatabase();
  const pool = createPool({ url, max: 1 });
  await pool.query("create schema authorization current_user");
  await pool.end();
  const later = createPool({ url, max: 1 });
  const { rows } = await later.query<{ schema: string }>("select current_schema() as schema");
  expect(rows[0]!.schema).toBe("public");
  await later.end();
  await drop();
});

test("a database that is not UTF8 is refused at the start, in one line", async () => {
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await onServer(
    `create database ${name} template template0 encoding 'LATIN1' locale_provider libc lc_collate 'C' lc_ctype 'C'`,
  );
  const url = new URL(inject("databaseUrl"));
  url.pathname = `/${name}`;
  const { code, stderr } = await mostrador(["migrate"], { DATABASE_URL: url.href });
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^La base de datos está en LATIN1 .* UTF8\. .+\n$/)]);
  await onServer(`drop database ${name}`);
});

test("a read-only server is refused at the start, in one line", async () => {
  const { url, drop } = await freshDatabase();
  await onServer(`alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only = on`);
  await expect(startMostrador({ DATABASE_URL: url })).rejects.toThrow(
    /"msg":"La base de datos no admite escrituras: .+"\}\n$/,
  );
  await drop();
});

const hasPgBouncer = spawnSync("pgbouncer", ["--version"]).status === 0;

/** The same database through PgBouncer, in one of its modes. */
async function throughPgBouncer(
  databaseUrl: string,
  mode: string,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const target = new URL(databaseUrl);
  const folder = await mkdtemp(join(tmpdir(), "mostrador-pgbouncer-"));
  const port = await freePort();
  const name = target.pathname.slice(1);
  const settings = [
    "[databases]",
    `${name} = host=${target.hostname} port=${target.port} user=${target.username} password=${target.password}`,
    "[pgbouncer]",
    "listen_addr = 127.0.0.1",
    `listen_port = ${port}`,
    "unix_socket_dir =",
    "auth_type = any",
    `pool_mode = ${mode}`,
    "default_pool_size = 40",
  ];
  const file = join(folder, "pgbouncer.ini");
  await writeFile(file, settings.join("\n"));
  // Started by root it switches to another user, who must be able to read this.
  await chmod(folder, 0o755);
  const asNobody = process.getuid?.() === 0 ? ["-u", "nobody"] : [];
  const child = spawn("pgbouncer", ["-q", ...asNobody, file], { stdio: "ignore" });
  const url = new URL(databaseUrl);
  url.port = String(port);
  await eventually(async () => {
    const pool = createPool({ url: url.href, max: 1 });
    const [answer] = await Promise.allSettled([pool.query("select 1")]);
    await pool.end();
    return answer.status === "fulfilled";
  });
  return {
    url: url.href,
    async stop() {
      child.kill("SIGKILL");
      await rm(folder, { recursive: true });
    },
  };
}

test.runIf(hasPgBouncer)("PgBouncer in session mode serves everything", { timeout: 300_000 }, async () => {
  const { key } = await service.business();
  const bouncer = await throughPgBouncer(service.databaseUrl, "session");
  const env = { DATABASE_URL: bouncer.url, SECRET_KEY: service.deps.config.secretKey };
  const running = await startMostrador(env);
  try {
    expect((await fetch(`${running.adminUrl}/readyz`)).status).toBe(200);
    const api = apiClient(running.url, { authorization: `Bearer ${key}` });
    const made = await api.post("/customers", { name: "Por el pooler" });
    expect(made.status).toBe(201);
    expect((await api.get("/customers?q=pooler")).body.data).toEqual([made.body]);
  } finally {
    await running.stop();
    await bouncer.stop();
  }
});

test.runIf(hasPgBouncer)(
  "PgBouncer in another mode is refused at the start, with the reason",
  { timeout: 300_000 },
  async () => {
    for (const mode of ["transaction", "statement"]) {
      const bouncer = await throughPgBouncer(service.databaseUrl, mode);
      const { code, stderr } = await mostrador(["migrate"], { DATABASE_URL: bouncer.url });
      expect([mode, code, stderr]).toEqual([
        mode,
        1,
        expect.stringMatching(/^Entre .*LISTEN.*pool_mode = session.*\n$/),
      ]);
      await bouncer.stop();
    }
  },
);
