import { createHash } from "node:crypto";
import pg from "pg";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { createPool } from "../../src/db/create-pool.ts";
import { type Migration, migrate, readMigrations } from "../../src/db/migrate.ts";
import { newMetrics } from "../../src/lib/metrics.ts";
import { build } from "../../src/lib/version.ts";
import { buildAdmin } from "../../src/operations/start/admin.ts";
import { watchSchema } from "../../src/operations/start/watch-schema.ts";
import { eventually } from "../support/eventually.ts";
import { shared, sharedDatabase, sharedService } from "../support/fixtures.ts";

const database = sharedDatabase();
const pool = shared(() => createPool({ url: database.url, max: 8 }));
afterAll(() => pool.end());

/** What this version has, and these after it. */
async function and(...added: [name: string, text: string][]): Promise<Migration[]> {
  const more = added.map(([name, text]) => ({ name, text, checksum: createHash("sha256").update(text).digest("hex") }));
  return [...(await readMigrations()), ...more];
}

async function appliedNow(): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>("select name from migrations where name > '9' order by name");
  return rows.map(({ name }) => name);
}

beforeEach(async () => {
  await pool.query("delete from migrations where name > '9'");
  await pool.query("drop table if exists shelf");
  await pool.query("create table shelf (id int primary key, note text)");
});

test("a migration that fails keeps those before it, and the next start goes on from there", async () => {
  const first: [string, string] = ["9001-one.sql", "alter table shelf add column one int"];
  const broken: [string, string] = ["9002-two.sql", "alter table shelf add column two int; select 1 / 0"];
  await expect(migrate(pool, { migrations: await and(first, broken) })).rejects.toThrow("division by zero");
  expect(await appliedNow()).toEqual(["9001-one.sql"]);
  const mended: [string, string] = ["9002-two.sql", "alter table shelf add column two int"];
  expect(await migrate(pool, { migrations: await and(first, mended) })).toEqual(["9002-two.sql"]);
});

describe("while another transaction reads the table", () => {
  const added: [string, string] = ["9001-added.sql", "alter table shelf add column added int"];

  async function reading<T>(work: (end: () => Promise<void>) => Promise<T>): Promise<T> {
    const reader = new pg.Client({ connectionString: database.url });
    await reader.connect();
    await reader.query("begin");
    await reader.query("select from shelf");
    try {
      return await work(async () => void (await reader.query("commit")));
    } finally {
      await reader.end();
    }
  }

  test("a migration steps back, so that writers pass, and comes again until it is done", () =>
    reading(async (end) => {
      const waits: string[] = [];
      const migrating = migrate(pool, { migrations: await and(added), onWait: (name) => waits.push(name) });
      await eventually(async () => {
        const { rowCount } = await pool.query(
          "select from pg_locks where relation = 'shelf'::regclass and not granted",
        );
        return rowCount !== 0;
      });
      // The reader ends only after this: behind a migration that waits for it, the write would never come through.
      await pool.query("insert into shelf values (1, 'during')");
      await eventually(() => waits.length > 1);
      expect(await appliedNow()).toEqual([]);
      await end();
      expect(await migrating).toEqual(["9001-added.sql"]);
      expect((await pool.query("select note, added from shelf")).rows).toEqual([{ note: "during", added: null }]);
    }));

  test("one that never gets its lock says what to do, and changes nothing", () =>
    reading(async () => {
      const migrating = migrate(pool, { migrations: await and(added), giveUpAfterMs: 0 });
      await expect(migrating).rejects.toThrow(
        "No se pudo aplicar 9001-added.sql: otra transacción tiene ocupada una tabla",
      );
      expect(await appliedNow()).toEqual([]);
    }));
});

describe("an index that is built concurrently", () => {
  const index: [string, string] = [
    "9001-index.sql",
    "-- By its note.\ncreate index concurrently if not exists shelf_note on shelf (note)",
  ];
  const isValid = async () => {
    const { rows } = await pool.query("select indisvalid from pg_index where indexrelid = to_regclass('shelf_note')");
    return rows.map((row) => row.indisvalid);
  };

  test("is built once, by one of three processes that start together", async () => {
    const migrations = await and(index);
    const all = await Promise.all([1, 2, 3].map(() => migrate(pool, { migrations })));
    expect(all.flat()).toEqual(["9001-index.sql"]);
    expect(await isValid()).toEqual([true]);
  });

  test("takes the place of one that an interrupted attempt left unfinished", async () => {
    await pool.query("insert into shelf values (1, 'same'), (2, 'same')");
    await expect(pool.query("create unique index concurrently shelf_note on shelf (note)")).rejects.toThrow("unique");
    expect(await isValid()).toEqual([false]);
    await migrate(pool, { migrations: await and(index) });
    expect(await isValid()).toEqual([true]);
  });
});

describe("a process that finds a newer schema", () => {
  const service = sharedService();
  const future = "9999-from-the-future.sql";

  test("while it runs, goes on serving and is not ready, except for a proxy", async () => {
    const deps = { ...service.deps, metrics: newMetrics() };
    const schema = await watchSchema(deps.pool, deps.log, 20);
    const admin = buildAdmin(deps, {
      listening: () => true,
      serving: () => true,
      draining: () => false,
      clock: () => ({ state: "right", message: "" }),
      newerSchema: schema.newer,
      nodesAway: () => [],
    });
    try {
      const ready = async (query = "") => {
        const { statusCode, payload } = await admin.inject(`/readyz${query}`);
        return { status: statusCode, problems: JSON.parse(payload).problems };
      };
      expect(await ready()).toEqual({ status: 200, problems: [] });
      await deps.pool.query("insert into migrations (name, checksum) values ($1, 'x')", [future]);
      await eventually(async () => (await ready()).status === 503);
      expect((await ready()).problems).toEqual([
        `the schema is newer than this build (${build} does not know ${future}): replace this process`,
      ]);
      expect((await ready("?exclude=database")).status).toBe(200);
      expect(await deps.metrics.render()).toContain("\nmostrador_ready 0\n");
      expect((await (await service.business()).api.post("/customers", { name: "Ana" })).status).toBe(201);
    } finally {
      schema.stop();
      await admin.close();
    }
  });

  test("when it starts, refuses with the word to update", async () => {
    await expect(migrate(service.deps.pool)).rejects.toThrow(
      `La base de datos es de una versión más nueva de Mostrador (${future}). Actualice este programa antes de usarla.`,
    );
  });
});
