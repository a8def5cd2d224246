import { expect, test } from "vitest";
import { readMigrations } from "../../src/db/migrate.ts";
import { migrationProblems } from "../support/migration-rules.ts";

test("every migration after 0020 only adds, and locks no large table for long", async () => {
  const later = (await readMigrations()).filter(({ name }) => name > "0021");
  expect(later.length).toBeGreaterThan(0);
  expect(later.flatMap(({ name, text }) => migrationProblems(text).map((problem) => `${name}: ${problem}`))).toEqual(
    [],
  );
});

test("migrations have numbers of their own", async () => {
  const numbers = (await readMigrations()).map(({ name }) => name.slice(0, 4));
  expect(new Set(numbers).size).toBe(numbers.length);
});

const notAdditive = /not additive/;
const notHarmless = /not known to be harmless/;
const reads = /reads the whole table/;
const inBatches = /in batches/;

test.each<[statement: string, reason: RegExp]>([
  ["drop table sales", notHarmless],
  ["drop index sales_pkey", notHarmless],
  ["truncate sale_hours", notHarmless],
  ["alter table sales drop column tip", notAdditive],
  ["alter table sales rename column tip to propina", notAdditive],
  ["alter table sales rename to ventas", notAdditive],
  ["alter table accounts alter column name type varchar(10)", notAdditive],
  ["alter table sales alter column tip set not null", notAdditive],
  ["alter table sales add column a int, drop column b", notAdditive],
  ["alter table accounts add column motto text not null", /give it a default/],
  ["alter table sales add column token uuid default gen_random_uuid()", /writes the whole table anew/],
  ["alter table sales add column twice int generated always as (2 * n) stored", /writes the whole table anew/],
  ["alter table sales add column kind text check (kind in ('a', 'b'))", reads],
  ["alter table sales add constraint positive check (total > 0)", reads],
  ["create index sales_kind on sales (account_id, kind)", /concurrently/],
  ["create unique index concurrently sales_kind on sales (account_id, kind)", /cannot be repeated/],
  [
    "create index concurrently if not exists a on sales (account_id); insert into installation default values",
    /file of its own/,
  ],
  ["update sales set tip = 0", inBatches],
  ["delete from events where created_at < now()", inBatches],
  ["create table sums (account_id uuid primary key); insert into sums select account_id from sales", inBatches],
])("%s is refused", (text, reason) => {
  expect(migrationProblems(text).join("\n")).toMatch(reason);
});

test.each([
  "create table notes (account_id uuid primary key, at timestamptz(3) not null, id uuid default gen_random_uuid())",
  "create table notes (account_id uuid not null, n int, primary key (account_id, n)); create index notes_n on notes (account_id, n)",
  "alter table sales add column tip_by uuid, add column tip_share numeric(4, 2) not null default 0",
  "alter table installation add column environment text check (environment in ('test', 'live'))",
  "alter table sales add constraint positive check (total > 0) not valid",
  "alter table sales validate constraint positive",
  "create index concurrently if not exists sales_kind on sales (account_id, kind)",
  "create index devices_name on devices (name)",
  "insert into fills (name) values ('tips')",
  "-- drop table sales;\ncreate table drops (account_id uuid primary key)",
])("%s is accepted", (text) => {
  expect(migrationProblems(text)).toEqual([]);
});
