import type pg from "pg";

/**
 * Settings that our statements and parsers rely on, whatever the server, the database or the role configures. They are set
 * after connecting, because poolers accept few startup parameters and refuse the rest.
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

// Every wait has a timeout.
const limits = {
  statement_timeout: "15s",
  lock_timeout: "8s",
  idle_in_transaction_session_timeout: "20s",
  // Of a Citus; a plain PostgreSQL takes any name with a dot.
  "citus.node_connection_timeout": "5s",
};

// Our tables stay in the schema where they were created, or in `public` if there are none yet: a schema named like the role
// must not hide them. Schemas that the installation configures, such as one for extensions, are still searched.
const searchPath = `select set_config('search_path', quote_ident(coalesce((
    select n.nspname from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.oid = to_regclass('migrations')), 'public')) || ', ' || current_setting('search_path'), false)`;

const text = [
  ...Object.entries({ ...fixed, ...limits }).map(([name, value]) => `set ${name} = '${value}'`),
  searchPath,
].join(";\n");

/** One round trip, before anything else runs on the connection. */
export async function applySessionSettings(client: Pick<pg.ClientBase, "query">): Promise<void> {
  await client.query(text);
}
