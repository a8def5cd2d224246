import { randomUUID } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { customers } from "../../src/business/customers/store.ts";
import { migrate, readMigrations } from "../../src/db/migrate.ts";
import { createPool } from "../../src/db/pool.ts";
import { foldText } from "../../src/engine/search/search-text.ts";
import { compareColumns } from "../../src/operations/verify/compare-columns.ts";
import { shared, sharedDatabase } from "../support/fixtures.ts";
import { mostrador } from "../support/process.ts";
import { customerBody } from "../support/records.ts";

const database = sharedDatabase();
const pool = shared(() => createPool({ url: database.url }));
afterAll(() => pool.end());

/** Takes the database back to the version before one migration. */
async function takeBackTo(name: string): Promise<void> {
  await pool.query("drop schema public cascade");
  await pool.query("create schema public");
  await pool.query("create table migrations (name text primary key, applied_at timestamptz not null default now())");
  for (const migration of (await readMigrations()).filter((one) => one.name < name)) {
    await pool.query(migration.text);
    await pool.query("insert into migrations (name) values ($1)", [migration.name]);
  }
}

/** The former content of `search`: the folded fields and all pairs of their characters, with separators. */
function formerSearch(fields: string[]): string {
  const folded = fields.map(foldText);
  const pairs = folded.flatMap((text) => {
    const characters = [...text];
    return characters.slice(1).map((character, i) => characters[i]! + character);
  });
  return [...folded, "", ...new Set(pairs), ""].join("\u0001");
}

test("customers stored by the version with trigrams have today's columns after the upgrade", async () => {
  await takeBackTo("0009-search.sql");
  const at = "2026-10-01T12:00:00.000Z";
  const accounts = [randomUUID(), randomUUID()];
  const people = [
    { name: "María Ñandú", email: "maria@example.com", phone: "300 123 4567", document_number: "1020304050" },
    { name: "Z" },
    { name: "Jugo 100% 🥛🥛 natural", phone: "+57 1 \\ 2" },
    { name: "a".repeat(200), email: "a@a.co" },
    { name: "\u0301\u0301", document_number: "9" },
    { name: "\u0301" },
  ];
  for (const account of accounts) {
    for (const fields of people) {
      const body = customerBody(at, fields);
      const { name, email, phone, document_number } = body;
      const search = formerSearch([name, email, phone, document_number].filter((field) => field !== null));
      await pool.query(
        `insert into customers (account_id, id, created_at, updated_at, seq, email_key, document_number, search, body)
         values ($1, $2, $3, $3, 1, $4, $5, $6, $7)`,
        [account, body.id, at, email, document_number, search, JSON.stringify(body)],
      );
    }
  }
  expect(await migrate(pool)).toContain("0009-search.sql");
  const client = await pool.connect();
  const { records, problems } = await compareColumns(client, customers as never);
  client.release();
  expect(problems).toEqual([]);
  expect(records).toBe(people.length * accounts.length);
});

test("an upgrade says what it runs, and also keeps the checksums of earlier migrations", async () => {
  await takeBackTo("0008-event-cause.sql");
  const said: string[] = [];
  const ran = await migrate(pool, (name) => said.push(name));
  expect(said).toEqual(ran);
  const { rows } = await pool.query("select name, checksum from migrations order by name");
  expect(rows).toEqual((await readMigrations()).map(({ name, checksum }) => ({ name, checksum })));
});

test("a migration whose text was changed after it ran stops the next start with one line", async () => {
  await pool.query("update migrations set checksum = 'another' where name = '0001-core.sql'");
  await expect(migrate(pool)).rejects.toThrow(/otro texto de 0001-core\.sql\. Devuelva el archivo/);
  await pool.query("update migrations set checksum = null where name = '0001-core.sql'");
  expect(await migrate(pool)).toEqual([]);
});

test("a command on an outdated schema says what to run and leaves the schema as it is", async () => {
  const last = (await readMigrations()).at(-1)!.name;
  await pool.query("delete from migrations where name = $1", [last]);
  const { code, stdout, stderr } = await mostrador(["account", "list"], { DATABASE_URL: database.url });
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain(`(falta ${last}). Póngalo al día con: npx mostrador migrate`);
  expect((await pool.query("select from migrations where name = $1", [last])).rowCount).toBe(0);
  await pool.query("drop table migrations");
  expect((await mostrador(["demo"], { DATABASE_URL: database.url })).stderr).toContain("npx mostrador migrate");
});
