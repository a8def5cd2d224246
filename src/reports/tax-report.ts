import type { Reads } from "../db/shared-reads.ts";
import { sql } from "../db/sql.ts";
import type { Period } from "./period.ts";

export interface TaxRow {
  /** The authority's code; empty for sales that came without the detail of their taxes. */
  code: string;
  /** Null for a tax by unit. */
  rate: number | null;
  base: number;
  amount: number;
}

export interface TaxReport extends Period {
  rows: TaxRow[];
  totals: Pick<TaxRow, "base" | "amount">;
}

export async function readTaxReport(db: Reads, accountId: string, { from, to }: Period): Promise<TaxReport> {
  const { rows } = await db.query<TaxRow>(sql`
    select code, nullif(rate, '')::numeric as rate, sum(base) as base, sum(amount) as amount from sale_taxes
    where account_id = ${accountId} and day between ${from}::date and ${to}::date
    group by code, rate having sum(base) <> 0 or sum(amount) <> 0 order by code, 2 desc nulls last`);
  const totals = { base: 0, amount: 0 };
  for (const { base, amount } of rows) {
    totals.base += base;
    totals.amount += amount;
  }
  return { from, to, rows, totals };
}
