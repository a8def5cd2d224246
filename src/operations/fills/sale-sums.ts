import { lockAccount } from "../../access/accounts/account-lock.ts";
import { passthroughSql } from "../../business/sale-totals/definition.ts";
import { forgetAllSpans } from "../../business/sale-totals/product-spans.ts";
import { recounted, recountedByLocation } from "../../business/sale-totals/recount.ts";
import { addTotalsSql, locationTables, type TotalsName, totalsTables } from "../../business/sale-totals/tables.ts";
import { forgetAllTaxDays } from "../../business/sale-totals/tax-days.ts";
import type { Client } from "../../db/pool.ts";
import { prepared, sql } from "../../db/sql.ts";
import { type Batch, nextAccount } from "./batch.ts";
import { fillCancellations } from "./cancellations.ts";
import { fillCorrections } from "./corrections.ts";
import { foldNotes } from "./notes.ts";

/** A day, or as many days as have so few sales: writers of the business wait some tenths of a second. */
const salesAtOnce = 2_000;

interface Position {
  account: string;
  /** The last day that was counted; null before the first, and while there are former cancellations to be told. */
  after: string | null;
}

/** Adds up the sums of sales from the records again, account by account, some days at a time. */
export async function recountBatch(client: Client, from: unknown): Promise<Batch | undefined> {
  const position = (from as Position | null) ?? (await firstAfter(client));
  if (!position) return undefined;
  const { account, after } = position;
  await lockAccount(client, account);
  const told = after === null ? await fillCancellations(client, account) : 0;
  if (told > 0) return { seen: told, changed: told, position };
  if (after === null) {
    await fillCorrections(client, account);
    for (const statement of forgetAllTaxDays(account)) await client.query(statement);
  }
  await foldNotes(client, account);
  const last = await lastOfNext(client, account, after);
  const days = await recount(client, account, after, last);
  return { seen: days, changed: days, position: last ? { account, after: last } : await firstAfter(client, account) };
}

async function firstAfter(client: Client, account?: string): Promise<Position | undefined> {
  const next = await nextAccount(client, account);
  return next === undefined ? undefined : { account: next, after: null };
}

/** The last of the next days to count together; undefined for all that are left. */
async function lastOfNext(client: Client, account: string, after: string | null): Promise<string | undefined> {
  const { rows } = await client.query<{ day: string }>(sql`
    select day::text from (
      select day, sum(sum(tickets)) over (order by day) as sold from sale_hours
      where account_id = ${account} and (${after}::date is null or day > ${after}::date) group by day) days
    where sold >= ${salesAtOnce} order by day limit 1`);
  return rows[0]?.day;
}

const inDays = "account_id = $1 and ($2::date is null or day > $2::date) and ($3::date is null or day <= $3::date)";
const within = (table: string) => `${table}.account_id = $1
  and ($2::date is null or ${table}.occurred_at >= ($2::date + 1)::timestamp at time zone 'America/Bogota')
  and ($3::date is null or ${table}.occurred_at < ($3::date + 1)::timestamp at time zone 'America/Bogota')`;

const passthroughText = `update sales s set passthrough = found.amount
  from (select id, ${passthroughSql("body->'items'")} as amount from sales b where ${within("b")} and b.passthrough is null) found
  where s.account_id = $1 and s.id = found.id and found.amount <> 0`;

async function recount(
  client: Client,
  account: string,
  after: string | null,
  last: string | undefined,
): Promise<number> {
  const values = [account, after, last ?? null];
  let days = 0;
  for (const [name, table] of Object.entries(totalsTables)) {
    await client.query(prepared(`delete from ${table.name} where ${inDays}`, values));
    const added = await client.query(prepared(addTotalsSql(table, recounted[name as TotalsName](within)), values));
    if (name === "hours") days = added.rowCount ?? 0;
    const ofSedes = locationTables[name as TotalsName];
    await client.query(prepared(`delete from ${ofSedes.name} where ${inDays}`, values));
    await client.query(prepared(addTotalsSql(ofSedes, recountedByLocation(name as TotalsName, within)), values));
  }
  await client.query(prepared(passthroughText, values));
  await client.query(forgetAllSpans(account));
  return days;
}
