import { nilUuid } from "../business/sale-totals/tables.ts";
import type { Reads } from "../db/shared-reads.ts";
import { sql } from "../db/sql.ts";
import { day, hour } from "../lib/clock.ts";
import { behindUtcMs, bogotaDate, bogotaHour } from "../taxes/bogota-time.ts";
import { keepingSpans, type ServedReads, type Span } from "./keep-spans.ts";
import { addDays } from "./period.ts";
import { paceOf, type RunningOut, readRunningOut } from "./running-out.ts";

interface Sold {
  tickets: number;
  total: number;
}

export interface TodayReport {
  day: string;
  /** The same weekday of last week, which today is compared with. */
  compared_day: string;
  sold: Sold;
  /** On the compared day up to this time of day. */
  sold_before: Sold;
  /** From the first to the last hour with a sale on either day. */
  hours: { hour: number; total: number; tickets: number; total_before: number; tickets_before: number }[];
  payments: (Sold & { payment_method: string })[];
  /** The best by amount. Lines without a product have no id; a product that never arrived has no name. */
  products: { product_id: string | null; name: string | null; quantity: number; amount: number }[];
  shifts: (Sold & {
    id: string;
    register_name: string;
    opened_by: string | null;
    opened_at: string;
    status: string;
  })[];
  /** At most `maxCounted` of each. */
  documents: { pending: number; unissued: number };
  /** Products that run out within a week at the pace of the last four, the soonest first, and how many they are. */
  running_out: RunningOut[];
  running_out_count: number;
}

export const maxCounted = 100;
const shownProducts = 6;

interface HourRow extends Sold {
  is_today: boolean;
  hour: number;
}

/** How the day goes. */
export function readToday(deps: ServedReads, accountId: string, now: Date): Promise<TodayReport> {
  const pace = paceOf(bogotaDate(now));
  return keepingSpans(deps, accountId, [pace], () => readDay(deps.reads, accountId, now, pace));
}

/** All reads are sent together, and none of them reads more than a few hundred rows. */
async function readDay(db: Reads, accountId: string, now: Date, pace: Span): Promise<TodayReport> {
  const today = bogotaDate(now);
  const comparedDay = addDays(today, -7);
  const [hours, payments, partOfHour, products, shifts, documents, runningOut] = await Promise.all([
    db.query<HourRow>(sql`
      select day = ${today}::date as is_today, hour, tickets, total from sale_hours
      where account_id = ${accountId} and day in (${today}::date, ${comparedDay}::date)`),
    db.query<TodayReport["payments"][number]>(sql`
      select payment_method, sum(tickets) as tickets, sum(total) as total from sale_shifts
      where account_id = ${accountId} and day = ${today}::date
      group by 1 having sum(tickets) <> 0 order by 3 desc, 1`),
    soldInPartOfHour(db, accountId, new Date(now.getTime() - 7 * day)),
    db.query<TodayReport["products"][number]>(sql`
      select nullif(s.product_id, ${nilUuid}) as product_id, p.body->>'name' as name, s.quantity, s.amount
      from (
        select account_id, product_id, quantity, amount from sale_products
        where account_id = ${accountId} and day = ${today}::date and amount > 0
        order by amount desc, product_id limit ${shownProducts}
      ) s left join products p on p.account_id = s.account_id and p.id = s.product_id
      order by s.amount desc, s.product_id`),
    db.query<TodayReport["shifts"][number]>(sql`
      select c.id, c.body->>'register_name' as register_name, c.body->>'opened_by' as opened_by,
        c.body->>'opened_at' as opened_at, c.status, sold.tickets, sold.total
      from cash_sessions c cross join lateral (
        select coalesce(sum(tickets), 0) as tickets, coalesce(sum(total), 0) as total from sale_shifts h
        where h.account_id = c.account_id and h.cash_session_id = c.id
          and h.day >= ((c.body->>'opened_at')::timestamptz at time zone 'America/Bogota')::date
      ) sold
      where c.account_id = ${accountId} and c.status in ('open', 'suspended') and c.deleted_at is null
      order by c.created_at desc limit 20`),
    db.query<{ status: string; count: number }>(sql`
      select status, (select count(*) from (
        select from invoices i where i.account_id = ${accountId} and i.status = wanted.status limit ${maxCounted}) found) as count
      from unnest(array['pending', 'rejected', 'emission_failed']) as wanted(status)`),
    readRunningOut(db, accountId, pace),
  ]);
  const rows = hours.rows;
  const counted = new Map(documents.rows.map(({ status, count }) => [status, count]));
  const thisHour = bogotaHour(now);
  const earlier = sum(rows.filter((row) => !row.is_today && row.hour < thisHour));
  return {
    day: today,
    compared_day: comparedDay,
    sold: sum(rows.filter(({ is_today }) => is_today)),
    sold_before: sum([earlier, partOfHour]),
    hours: hoursOf(rows),
    payments: payments.rows,
    products: products.rows,
    shifts: shifts.rows,
    documents: {
      pending: counted.get("pending") ?? 0,
      unissued: Math.min(maxCounted, (counted.get("rejected") ?? 0) + (counted.get("emission_failed") ?? 0)),
    },
    ...runningOut,
  };
}

/** The totals go by whole hours; what was sold since the last full hour is read from the index of the sales. */
async function soldInPartOfHour(db: Reads, accountId: string, until: Date): Promise<Sold> {
  const since = new Date(Math.floor((until.getTime() - behindUtcMs) / hour) * hour + behindUtcMs);
  const { rows } = await db.query<Sold>(sql`
    select count(*) as tickets, coalesce(sum(total), 0) as total from sales
    where account_id = ${accountId} and occurred_at >= ${since} and occurred_at < ${until} and status = 'completed'`);
  return rows[0]!;
}

function sum(rows: readonly Sold[]): Sold {
  return {
    tickets: rows.reduce((all, { tickets }) => all + tickets, 0),
    total: rows.reduce((all, { total }) => all + total, 0),
  };
}

function hoursOf(rows: readonly HourRow[]): TodayReport["hours"] {
  const sold = rows.filter(({ tickets }) => tickets !== 0).map((row) => row.hour);
  if (sold.length === 0) return [];
  const first = Math.min(...sold);
  return Array.from({ length: Math.max(...sold) - first + 1 }, (_, i) => {
    const inHour = rows.filter((row) => row.hour === first + i);
    const now = sum(inHour.filter(({ is_today }) => is_today));
    const before = sum(inHour.filter(({ is_today }) => !is_today));
    return { hour: first + i, ...now, total_before: before.total, tickets_before: before.tickets };
  });
}
