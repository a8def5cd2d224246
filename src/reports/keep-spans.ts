import { totalsSource } from "../business/sale-totals/tables.ts";
import type { Pool } from "../db/pool.ts";
import type { Reads } from "../db/shared-reads.ts";
import { type Statement, sql } from "../db/sql.ts";
import { transaction } from "../db/transaction.ts";
import type { CoreDeps } from "../engine/deps.ts";
import type { Period } from "./period.ts";
import { ofParts } from "./product-sums.ts";

/** What keeping needs: reads that are short, and connections for a transaction. */
export type ServedReads = Pick<CoreDeps, "pool" | "log"> & { reads: Reads };

/** A stretch of days whose sums are kept once they have ended. */
export interface Span extends Period {
  /** It moves on with the days: what was kept of former ones goes when this one is kept. */
  moves?: true;
}

/** Runs `read` and keeps, for the next time, what the ended ones of these stretches add up to. */
export async function keepingSpans<T>(
  { pool, reads, log }: ServedReads,
  accountId: string,
  spans: readonly Span[],
  read: () => Promise<T>,
): Promise<T> {
  if (spans.length === 0) return read();
  const [answer, missing] = await Promise.all([read(), findMissing(reads, accountId, spans)]);
  try {
    for (const { from, to } of missing) {
      const moves = spans.some((span) => span.moves && span.from === from && span.to === to);
      await keepSpan(pool, accountId, { from, to, ...(moves && { moves }) });
    }
  } catch (error) {
    log.warn({ err: error }, "sums of ended days not kept; the next report tries again");
  }
  return answer;
}

/** A day has ended when the account has written on a later one: whoever writes to it from then on removes what is kept of it. */
async function findMissing(db: Reads, accountId: string, spans: readonly Period[]): Promise<Period[]> {
  const text = `
    select part.first_day::text as "from", part.last_day::text as "to"
    from unnest($2::date[], $3::date[]) as part(first_day, last_day)
    join account_clock c on c.account_id = $1 and part.last_day < (c.ts at time zone 'America/Bogota')::date
    where not exists (
        select from sale_product_spans s where s.account_id = $1 and s.first_day = part.first_day and s.last_day = part.last_day)
      and exists (select from ${totalsSource("products")} d where d.account_id = $1 and d.day between part.first_day and part.last_day)`;
  return (await db.query<Period & Record<string, string>>(ofParts(accountId, text, spans))).rows;
}

/** Under the account's clock, so that no write can change a day unseen. If a writer holds it, the next report tries again. */
async function keepSpan(pool: Pool, accountId: string, { from, to, moves }: Span): Promise<void> {
  await transaction(pool, async (client) => {
    const { rowCount } = await client.query(
      sql`select from account_clock where account_id = ${accountId} for update skip locked`,
    );
    if (rowCount === 0) return;
    await client.query(sql`
      insert into sale_product_spans (account_id, first_day, last_day, product_ids, lines, quantities, amounts)
      select account_id, ${from}::date, ${to}::date, array_agg(product_id), array_agg(lines), array_agg(quantity), array_agg(amount)
      from (
        select account_id, product_id, sum(lines)::bigint as lines, sum(quantity) as quantity, sum(amount) as amount from sale_products
        where account_id = ${accountId} and day between ${from}::date and ${to}::date group by 1, 2) sold
      group by 1 on conflict (account_id, first_day, last_day) do nothing`);
    if (moves) await client.query(forgetFormer(accountId, { from, to }));
  });
}

/** Those of as many days that began earlier, unless they are whole months. */
function forgetFormer(accountId: string, { from, to }: Period): Statement {
  return sql`
    delete from sale_product_spans
    where account_id = ${accountId} and first_day < ${from}::date and last_day - first_day = ${to}::date - ${from}::date
      and (extract(day from first_day) <> 1 or extract(day from last_day + 1) <> 1)`;
}
