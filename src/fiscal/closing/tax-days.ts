import { reversals, soldSales } from "../../business/sale-totals/definition.ts";
import type { Pool, Queryable } from "../../db/pool.ts";
import { oneRow } from "../../db/read.ts";
import { prepared, sql } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import type { TaxTotal } from "../../taxes/tax.ts";
import { boundsOf } from "./day.ts";
import { addRates } from "./rates.ts";

/** The day of a sale, as the Z has it, or the day of its document. */
export const taxBases = ["sale", "document"] as const;
export type TaxBasis = (typeof taxBases)[number];

/** What happened within $2 and $3 in the account $1: `body`, and whether it adds or takes back. */
const sources: Record<TaxBasis, string> = {
  sale: `
    select s.body, 1 as sign from ${soldSales} s where s.account_id = $1 and s.occurred_at >= $2 and s.occurred_at < $3
    union all
    select b.body, -1 from ${reversals} b where b.account_id = $1 and b.occurred_at >= $2 and b.occurred_at < $3`,
  // A document says what it declares; of one that a register issued, its return or its sale does.
  document: `
    select coalesce(d.content, r.body, s.body) as body,
      case when i.document_type in ('pos_adjustment_note', 'other') then -1 else 1 end as sign
    from invoices i
    left join fiscal_documents d on d.account_id = i.account_id and d.invoice_id = i.id
    left join returns r on r.account_id = i.account_id and r.invoice_id = i.id
    left join sales s on s.account_id = i.account_id and s.id = i.sale_id
    where i.account_id = $1 and i.issued_at >= $2 and i.issued_at < $3 and i.status in ('issued', 'annulled')
      and i.document_type <> 'internal_invoice' and coalesce(d.invoice_id, s.id) is not null`,
};

/** The rows of a day. */
export async function readTaxDay(db: Queryable, accountId: string, basis: TaxBasis, date: string): Promise<TaxTotal[]> {
  const { since, until } = boundsOf(date);
  const { rows } = await db.query<{ body: string; sign: number }>(prepared(sources[basis], [accountId, since, until]));
  return addRates(rows);
}

const dayOf = (instant: string) => `(${instant} at time zone 'America/Bogota')::date`;

/**
 * Forgets the kept days that were written to since somebody last looked, and returns the account's time up to which what is
 * kept holds. Records come in the order of their updated_at, so none is missed. What a cancelled sale changes may lie
 * on any day since it was sold.
 */
export function forgetChangedDays(pool: Pool, accountId: string): Promise<Date> {
  return transaction(pool, async (client) => {
    await client.query(sql`
      insert into tax_days_seen (account_id, seen_at) select account_id, ts from account_clock where account_id = ${accountId}
      on conflict (account_id) do nothing`);
    const { rows } = await client.query<{ seen_at: Date; ts: Date }>(sql`
      select k.seen_at, c.ts from tax_days_seen k join account_clock c on c.account_id = k.account_id
      where k.account_id = ${accountId} for update of k`);
    const { seen_at, ts } = oneRow(rows);
    await client.query(prepared(forgetText, [accountId, seen_at]));
    await client.query(sql`update tax_days_seen set seen_at = ${ts} where account_id = ${accountId}`);
    return ts;
  });
}

const changed = (table: string, instant: string) =>
  `select ${dayOf(instant)} from ${table} where account_id = $1 and updated_at >= $2`;

const forgetText = `
  delete from tax_days where account_id = $1 and (
    day in (${changed("sales", "occurred_at")} union ${changed("returns", "occurred_at")} union ${changed("invoices", "issued_at")})
    or day >= (select min(${dayOf("occurred_at")}) from sales where account_id = $1 and updated_at >= $2 and status = 'cancelled'))`;

export async function readKeptDays(
  db: Queryable,
  accountId: string,
  basis: TaxBasis,
  { from, to }: { from: string; to: string },
): Promise<Map<string, TaxTotal[]>> {
  const { rows } = await db.query<{ day: string; rows: string }>(sql`
    select day::text, rows from tax_days
    where account_id = ${accountId} and basis = ${basis} and day between ${from}::date and ${to}::date`);
  return new Map(rows.map((row) => [row.day, JSON.parse(row.rows) as TaxTotal[]]));
}

/**
 * Keeps days as they were at `seenAt`, unless somebody has looked since: then they may have changed. Rows that are selected
 * from a table go straight to the account's shard; those of a parameter alone would pass through the coordinator.
 */
export async function keepDays(
  pool: Pool,
  accountId: string,
  basis: TaxBasis,
  days: ReadonlyMap<string, readonly TaxTotal[]>,
  seenAt: Date,
): Promise<void> {
  if (days.size === 0) return;
  await transaction(pool, async (client) => {
    const { rowCount } = await client.query(
      sql`select from tax_days_seen where account_id = ${accountId} and seen_at = ${seenAt} for share`,
    );
    if (rowCount === 0) return;
    await client.query(sql`
      insert into tax_days (account_id, basis, day, rows)
      select seen.account_id, ${basis}, kept.day, kept.rows
      from tax_days_seen seen
      cross join json_to_recordset(${JSON.stringify([...days].map(([day, rows]) => ({ day, rows })))}::json) as kept(day date, rows json)
      where seen.account_id = ${accountId}
      on conflict (account_id, basis, day) do nothing`);
  });
}
