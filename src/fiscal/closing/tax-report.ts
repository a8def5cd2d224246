import type { Pool } from "../../db/pool.ts";
import { day as dayMs } from "../../lib/clock.ts";
import { turnsByKey } from "../../lib/concurrency-limit.ts";
import { must } from "../../lib/must.ts";
import { addDays, type Period } from "../../reports/period.ts";
import { bogotaDate } from "../../taxes/bogota-time.ts";
import type { TaxTotal } from "../../taxes/tax.ts";
import { taxName } from "../../taxes/words.ts";
import { sumRates } from "./rates.ts";
import { forgetChangedDays, keepDays, readKeptDays, readTaxDay, type TaxBasis } from "./tax-days.ts";

export interface RateRow {
  /** The authority's code; "excluded" and "untaxed" for what bears no tax, empty for a tax that came without its detail. */
  code: string;
  name: string;
  rate: number | null;
  /** Pesos for each unit, of a tax by unit. */
  per_unit: number | null;
  /** Pesos; 0 for a tax by unit. */
  base: number;
  /** How many units paid a tax by unit; null for any other. */
  units: number | null;
  amount: number;
}

export interface TaxReport extends Period {
  by: TaxBasis;
  rows: RateRow[];
  /** Units are not among the pesos. */
  totals: Pick<RateRow, "base" | "amount">;
}

export type TaxQuery = Period & { by: TaxBasis };

const daysAtOnce = 31;

/** The first report of a long period reads all its sales: one of a business at a time, and few in all. */
const inTurns = turnsByKey(3);

/**
 * The taxes of a period by rate: the sum of its days, as the Z of each has them. What ended days add up to is kept, so that a
 * year is read without its sales.
 */
export function readTaxReport(pool: Pool, accountId: string, query: TaxQuery, now: Date): Promise<TaxReport> {
  return inTurns(accountId, () => addUpDays(pool, accountId, query, now));
}

async function addUpDays(pool: Pool, accountId: string, { by, from, to }: TaxQuery, now: Date): Promise<TaxReport> {
  const today = bogotaDate(now);
  const seenAt = await forgetChangedDays(pool, accountId);
  const days = await readKeptDays(pool, accountId, by, { from, to });
  const fresh = new Map<string, TaxTotal[]>();
  for (const day of daysOf({ from, to })) {
    if (days.has(day)) continue;
    days.set(day, await readTaxDay(pool, accountId, by, day));
    if (day < today) fresh.set(day, must(days.get(day), "The day is one of those that were read"));
    // Whoever gives up waiting for a long period finds more of it ready next time.
    if (fresh.size === daysAtOnce) await keep();
  }
  await keep();
  const rows = sumRates([...days.values()].flat()).map(shownRow);
  return {
    by,
    from,
    to,
    rows,
    totals: {
      base: rows.reduce((sum, { base }) => sum + base, 0),
      amount: rows.reduce((sum, { amount }) => sum + amount, 0),
    },
  };

  async function keep(): Promise<void> {
    await keepDays(pool, accountId, by, fresh, seenAt);
    fresh.clear();
  }
}

/** By their number: the day after the last may have no name. */
function daysOf({ from, to }: Period): string[] {
  const count = (Date.parse(to) - Date.parse(from)) / dayMs + 1;
  return Array.from({ length: count }, (_, i) => addDays(from, i));
}

function shownRow({ code, rate, per_unit, base, amount }: TaxTotal): RateRow {
  const isByUnit = per_unit !== null;
  const figures = { base: isByUnit ? 0 : base, units: isByUnit ? base : null, amount };
  return { code, name: taxName(code), rate, per_unit, ...figures };
}
