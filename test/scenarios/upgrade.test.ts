import { afterAll, expect, test } from "vitest";
import { createPool } from "../../src/db/create-pool.ts";
import { type Migration, migrate, readMigrations } from "../../src/db/migrate.ts";
import { shared, sharedDatabase } from "../support/fixtures.ts";
import { mostrador } from "../support/process.ts";

const database = sharedDatabase();
const pool = shared(() => createPool({ url: database.url }));
afterAll(() => pool.end());

/** A database as the version before its last migration left it. */
async function takeLastBack(): Promise<string> {
  await pool.query("drop schema public cascade");
  await pool.query("create schema public");
  const migrations = await readMigrations();
  await migrate(pool, { migrations: migrations.slice(0, -1) });
  return migrations.at(-1)!.name;
}

test("an upgrade says what it runs, and keeps the checksum of each migration", async () => {
  const last = await takeLastBack();
  const said: string[] = [];
  expect(await migrate(pool, { onRun: (name) => said.push(name) })).toEqual([last]);
  expect(said).toEqual([last]);
  const { rows } = await pool.query("select name, checksum from migrations order by name");
  expect(rows).toEqual((await readMigrations()).map(({ name, checksum }) => ({ name, checksum })));
});

test("a migration whose text was changed after it ran stops the next start with one line", async () => {
  const [{ name, checksum }] = (await readMigrations()) as [Migration];
  await pool.query("update migrations set checksum = 'another' where name = $1", [name]);
  await expect(migrate(pool)).rejects.toThrow(`otro texto de ${name}. Devuelva el archivo`);
  await pool.query("update migrations set checksum = $2 where name = $1", [name, checksum]);
  expect(await migrate(pool)).toEqual([]);
});

test("a database made before 0.1.0 is left as it is, and its operator is told how to take the data along", async () => {
  await pool.query("insert into migrations (name, checksum) values ('0001-core.sql', 'former')");
  const { code, stderr } = await mostrador(["migrate"], { DATABASE_URL: database.url });
  expect(code).toBe(1);
  expect(stderr).toContain("anterior a la 0.1.0");
  expect(stderr).toContain("exporte sus datos");
  await pool.query("delete from migrations where name = '0001-core.sql'");
});

test("a command on a schema that is behind says what to run, and leaves it as it is", async () => {
  const last = (await readMigrations()).at(-1)!.name;
  await pool.query("delete from migrations where name = $1", [last]);
  const { code, stdout, stderr } = await mostrador(["account", "list"], { DATABASE_URL: database.url });
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain(`(falta ${last}). Póngalo al día con: npx mostrador migrate`);
  expect((await pool.query("select from migrations where name = $1", [last])).rowCount).toBe(0);
  await pool.query("drop table migrations");
  expect((await mostrador(["demo"], { DATABASE_URL: database.url })).stderr).toContain("npx mostrador migrate");
});
