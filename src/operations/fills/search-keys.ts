import { lockAccount } from "../../access/accounts/account-lock.ts";
import { resources } from "../../business/registry.ts";
import type { Client } from "../../db/pool.ts";
import type { RecordBody, Resource } from "../../engine/resources/resource.ts";
import { searchColumnNames } from "../../engine/resources/search-columns.ts";
import { must } from "../../lib/must.ts";
import { type Batch, nextAccount } from "./batch.ts";

/** Few enough for a business's writers to wait some hundredths of a second, even where all of them are written. */
const batchSize = 50;

type Columns = Record<(typeof searchColumnNames)[number], unknown>;
type Row = Columns & { id: string; seq: number; body: string };

const searched: readonly Resource[] = resources.filter(({ derived }) => "search_keys" in derived);

const nil = "00000000-0000-0000-0000-000000000000";

interface Position {
  account: string;
  table: string;
  after: string;
}

/**
 * Derives the search columns of the next records from their bodies again, account by account. What differs is written while the
 * account is locked, unless the record was written since it was read; nothing is announced, and updated_at stays.
 */
export async function reindexBatch(client: Client, from: unknown): Promise<Batch | undefined> {
  const position = from === null ? await firstOf(client) : (from as Position);
  if (!position) return undefined;
  const { account, table, after } = position;
  const place = searched.findIndex((one) => one.table === table);
  const resource = must(searched[place], "The place is within the list");
  const rows = await readRows(client, resource, account, after);
  const next = await nextOf(client, position, place, rows);
  const changed = rows
    .map((row) => ({ row, wanted: columnsOf(resource, account, row) }))
    .filter(({ row, wanted }) => searchColumnNames.some((name) => String(row[name]) !== String(wanted[name])));
  if (changed.length > 0) {
    // What waits in the index unsorted is sorted in now: whoever fills that list up does it, and must not be this while it holds the lock.
    await client.query("select gin_clean_pending_list(to_regclass($1))", [`${table}_search`]);
    await lockAccount(client, account);
    await client.query(updateText(table), [
      account,
      JSON.stringify(changed.map(({ row, wanted }) => ({ id: row.id, seq: row.seq, ...wanted }))),
    ]);
  }
  return { seen: rows.length, changed: changed.length, position: next };
}

async function nextOf(client: Client, { account, table }: Position, place: number, rows: readonly Row[]) {
  if (rows.length === batchSize) return { account, table, after: must(rows.at(-1), "A full batch has a last row").id };
  const next = searched[place + 1];
  return next ? { account, table: next.table, after: nil } : firstOf(client, account);
}

async function firstOf(client: Client, afterAccount?: string): Promise<Position | undefined> {
  const account = await nextAccount(client, afterAccount);
  return account === undefined
    ? undefined
    : { account, table: must(searched[0], "Some resource is searched").table, after: nil };
}

async function readRows(client: Client, { table }: Resource, account: string, after: string): Promise<Row[]> {
  const { rows } = await client.query<Row>(
    `select id, seq, body, ${searchColumnNames.join(", ")} from ${table} where account_id = $1 and id > $2 order by id limit ${batchSize}`,
    [account, after],
  );
  return rows;
}

function columnsOf(resource: Resource, account: string, { body }: Row): Columns {
  const record = JSON.parse(body) as RecordBody;
  const [search, search_keys, search_bits] = searchColumnNames.map((name) =>
    must(resource.derived[name], "The names are those of the derived columns").from(record, account),
  );
  return { search, search_keys, search_bits };
}

/** In one statement, because writers wait meanwhile. */
function updateText(table: string): string {
  return `update ${table} t set search = u.search, search_keys = u.search_keys, search_bits = u.search_bits
    from json_to_recordset($2::json) as u(id uuid, seq bigint, search text, search_keys int[], search_bits bit(128))
    where t.account_id = $1 and t.id = u.id and t.seq = u.seq`;
}
