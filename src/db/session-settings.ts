import type pg from "pg";

/**
 * What our statements and the parsing of their answers rely on, whatever the server, the database or the role is set to. It
 * is said after connecting and not while: a pooler passes few parameters of the start on, and refuses the others.
 */
const fixed = {
  timezone: "UTC",
  datestyle: "ISO, YMD",
  intervalstyle: "postgres",
  bytea_output: "hex",
  client_encoding: "UTF8",
  standard_conforming_strings: "on",
  default_transaction_isolation: "read committed",
  idle_session_timeout: "0",
};

// No wait is without an end.
const limits = {
  statement_timeout: "15s",
  lock_timeout: "8s",
  idle_in_transaction_session_timeout: "20s",
};

// Our tables are where they were first made, and in `public` when there are none yet: a schema that gets the role's name
// one day must not hide them. What the set-up names besides, such as a schema of extensions, is still found.
const searchPath = `select set_config('search_path', quote_ident(coalesce((
    select n.nspname from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.oid = to_regclass('migrations')), 'public')) || ', ' || current_setting('search_path'), false)`;

const text = [
  ...Object.entries({ ...fixed, ...limits }).map(([name, value]) => `set ${name} = '${value}'`),
  searchPath,
].join(";\n");

/** In one packet, before anything else is asked of the connection. */
export async function settleSession(client: Pick<pg.ClientBase, "query">): Promise<void> {
  await client.query(text);
}
