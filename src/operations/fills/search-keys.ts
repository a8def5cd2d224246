import { lockAccount } from "../../access/accounts/account-lock.ts";
import { resources } from "../../business/registry.ts";
import type { Client } from "../../db/pool.ts";
import type { RecordBody, Resource } from "../../engine/resources/resource.ts";
import { searchColumnNames } from "../../engine/resources/search-columns.ts";
import type { Batch } from "./batch.ts";

/** Few enough for a business's writers to wait some hundredths of a second. */
const batchSize = 200;

type Columns = Record<(typeof searchColumnNames)[number], unknown>;
type Row = Columns & { id: string; body: string };

const searched: readonly Resource[] = resources.filter(({ derived }) => "search_keys" in derived);

const nil = "00000000-0000-0000-0000-000000000000";

interface Position {
  account: string;
  table: string;
  after: string;
}

/**
 * Derives the search columns of the next records from their bodies again, account by account. What differs is written while the account is
 * locked, so that no write of the business is overwritten; nothing is announced, and updated_at stays.
 */
export async function reindexBatch(client: Client, from: unknown): Promise<Batch | undefined> {
  const position = from === null ? await firstOf(client, nil) : (from as Position);
  if (!position) return undefined;
  const { account, table, after } = position;
  const place = searched.findIndex((one) => one.table === table);
  const resource = searched[place]!;
  let rows = await readRows(client, resource, account, after);
  let changed = rows.filter((row) => isStale(resource, account, row));
  if (changed.length > 0) {
    await lockAccount(client, account);
    rows = await readRows(client, resource, account, after);
    changed = rows.filter((row) => isStale(resource, account, row));
    await writeRows(client, resource, account, changed);
  }
  return {
    seen: rows.length,
    changed: changed.length,
    position: await nextOf(client, position, place, rows),
  };
}

async function nextOf(client: Client, { account, table }: Position, place: number, rows: readonly Row[]) {
  if (rows.length === batchSize) return { account, table, after: rows.at(-1)!.id };
  const next = searched[place + 1];
  return next ? { account, table: next.table, after: nil } : firstOf(client, account);
}

async function firstOf(client: Client, afterAccount: string): Promise<Position | undefined> {
  const { rows } = await client.query<{ id: string }>("select id from accounts where id > $1 order by id limit 1", [
    afterAccount,
  ]);
  return rows[0] && { account: rows[0].id, table: searched[0]!.table, after: nil };
}

async function readRows(client: Client, { table }: Resource, account: string, after: string): Promise<Row[]> {
  const { rows } = await client.query<Row>(
    `select id, body, ${searchColumnNames.join(", ")} from ${table} where account_id = $1 and id > $2 order by id limit ${batchSize}`,
    [account, after],
  );
  return rows;
}

function columnsOf(resource: Resource, account: string, { body }: Row): Columns {
  const record = JSON.parse(body) as RecordBody;
  const [search, search_keys, search_bits] = searchColumnNames.map((name) =>
    resource.derived[name]!.from(record, account),
  );
  return { search, search_keys, search_bits };
}

function isStale(resource: Resource, account: string, row: Row): boolean {
  const wanted = columnsOf(resource, account, row);
  return searchColumnNames.some((name) => String(row[name]) !== String(wanted[name]));
}

/** Sent together: the account is locked meanwhile. */
async function writeRows(client: Client, resource: Resource, account: string, rows: readonly Row[]): Promise<void> {
  const text = `update ${resource.table} set search = $3, search_keys = $4::int[], search_bits = $5::bit(128)
    where account_id = $1 and id = $2`;
  await Promise.all(
    rows.map((row) => {
      const { search, search_keys, search_bits } = columnsOf(resource, account, row);
      return client.query(text, [account, row.id, search, search_keys, search_bits]);
    }),
  );
}
