import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createPool } from "../../src/db/create-pool.ts";
import { shared, sharedDatabase } from "../support/fixtures.ts";

/** Global tables: directories that lead to an account, and the installation's own. All others hold tenant data. */
const directories = [
  "accounts",
  "api_keys",
  "devices",
  "email_changes",
  "enrolment_codes",
  "factors",
  "fills",
  "incidents",
  "installation",
  "invitations",
  "memberships",
  "migrations",
  "passkey_challenges",
  "password_resets",
  "people",
  "portal_sessions",
  "rate_buckets",
  "recovery_codes",
  "roles",
  "security_freezes",
  "security_notices",
  "sign_in_failures",
  "sign_in_stages",
  "sign_ups",
  "trusted_browsers",
];

const database = sharedDatabase();
const pool = shared(() => createPool({ url: database.url }));
afterAll(() => pool.end());

/** What would keep the schema from being sharded by account. Each statement lists violations; $1: directories. */
const rules = {
  "has no account_id": `
    select t.relname as offence from tenant t
    where not exists (select from pg_attribute a where a.attrelid = t.oid and a.attname = 'account_id' and a.attnotnull)`,

  "has no primary key": `
    select t.relname as offence from tenant t
    where not exists (select from pg_index i where i.indrelid = t.oid and i.indisprimary)`,

  // The hashes in search_keys include the account.
  "has an index that account_id does not lead": `
    select i.indexrelid::regclass::text as offence
    from tenant t join pg_index i on i.indrelid = t.oid join pg_class c on c.oid = i.indexrelid join pg_am m on m.oid = c.relam
    where not exists (
      select from pg_attribute a where a.attrelid = t.oid and (
        (a.attname = 'account_id' and (a.attnum = i.indkey[0] or (m.amname = 'gin' and a.attnum = any(i.indkey))))
        or (a.attname = 'search_keys' and a.attnum = i.indkey[0])))`,

  "uses a sequence": `
    select t.relname || '.' || a.attname as offence
    from tenant t join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef d on d.adrelid = t.oid and d.adnum = a.attnum
    where a.attidentity <> '' or pg_get_expr(d.adbin, d.adrelid) like '%nextval%'`,

  "has a foreign key to anything but its account": `
    select c.conname as offence from tenant t join pg_constraint c on c.conrelid = t.oid
    where c.contype = 'f' and c.confrelid <> 'accounts'::regclass`,

  // JavaScript has no microseconds: a cursor made from such an instant would skip rows.
  "stores an instant more precise than the millisecond": `
    select t.relname || '.' || a.attname as offence
    from tenant t join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
    where a.atttypid in ('timestamptz'::regtype, 'timestamp'::regtype)
      and not (a.atttypid = 'timestamptz'::regtype and a.atttypmod = 3)`,
};

async function offences(rule: string): Promise<string[]> {
  const { rows } = await pool.query<{ offence: string }>(
    `with tenant as (
       select c.oid, c.relname from pg_class c
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname <> all($1::text[]))
     ${rule} order by 1`,
    [directories],
  );
  return rows.map((row) => row.offence);
}

test.each(Object.entries(rules))("no table of a business's data %s", async (_what, rule) => {
  expect(await offences(rule)).toEqual([]);
});

// What a primary key begins with is how a table is placed.
test("no directory would be taken for a table of a business's data", async () => {
  const { rows } = await pool.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_index i on i.indrelid = c.oid and i.indisprimary
     join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
     where c.relname = any($1::text[]) and a.attname = 'account_id'`,
    [directories],
  );
  expect(rows.map(({ name }) => name)).toEqual([]);
});

test("there are no sequences at all", async () => {
  const { rows } = await pool.query(
    "select relname from pg_class where relkind = 'S' and relnamespace = 'public'::regnamespace",
  );
  expect(rows).toEqual([]);
});

describe("the rules above find", () => {
  beforeAll(() =>
    pool.query(`
      create table stray (id uuid primary key, note text);
      create table bare (account_id uuid not null, at timestamptz(3));
      create table counted (account_id uuid, n bigint generated always as identity, s serial, at timestamptz, at3 timestamp(3),
        words text[], primary key (account_id, n), unique (n, account_id));
      create index counted_words on counted using gin (words);
      create index counted_some on counted ((lower(s::text)), account_id);
      create table child (account_id uuid not null references accounts, n bigint, id uuid, primary key (account_id, id),
        foreign key (account_id, n) references counted);`),
  );

  test.each<[keyof typeof rules, string[]]>([
    ["has no account_id", ["stray"]],
    ["has no primary key", ["bare"]],
    [
      "has an index that account_id does not lead",
      ["counted_n_account_id_key", "counted_some", "counted_words", "stray_pkey"],
    ],
    ["uses a sequence", ["counted.n", "counted.s"]],
    ["has a foreign key to anything but its account", ["child_account_id_n_fkey"]],
    ["stores an instant more precise than the millisecond", ["counted.at", "counted.at3"]],
  ])("a table that %s", async (what, expected) => {
    expect(await offences(rules[what])).toEqual(expected);
  });
});
