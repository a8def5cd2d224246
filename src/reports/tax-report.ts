import { totalsSource } from "../business/sale-totals/tables.ts";
import type { Reads } from "../db/shared-reads.ts";
import { prepared } from "../db/sql.ts";
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

const text = `
  select code, nullif(rate, '')::numeric as rate, sum(base) as base, sum(amount) as amount from ${totalsSource("taxes")} t
  where account_id = $1 and day between $2::date and $3::date
  group by code, rate having sum(base) <> 0 or sum(amount) <> 0 order by code, 2 desc nulls last`;

export async function readTaxReport(db: Reads, accountId: string, { from, to }: Period): Promise<TaxReport> {
  const { rows } = await db.query<TaxRow>(prepared(text, [accountId, from, to]));
  const totals = { base: 0, amount: 0 };
  for (const { base, amount } of rows) {
    totals.base += base;
    totals.amount += amount;
  }
  return { from, to, rows, totals };
}
