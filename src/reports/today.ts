import { addSums, keptSums, noSums, type SaleSums } from "../business/sale-totals/definition.ts";
import { recounted, type Within } from "../business/sale-totals/recount.ts";
import {
  columnsOf,
  nilUuid,
  type TotalsOf,
  totalsOf,
  totalsSource,
  totalsTables,
} from "../business/sale-totals/tables.ts";
import { oneRow } from "../db/read.ts";
import type { Reads } from "../db/shared-reads.ts";
import { prepared, type Statement } from "../db/sql.ts";
import { allOf } from "../engine/resources/filters.ts";
import { atLocations } from "../engine/resources/placed.ts";
import { day, hour } from "../lib/clock.ts";
import { behindUtcMs, bogotaDate, bogotaHour } from "../taxes/bogota-time.ts";
import { keepingSpans, type ServedReads, type Span } from "./keep-spans.ts";
import { addDays } from "./period.ts";
import { paceOf, type RunningOut, readRunningOut } from "./running-out.ts";

export interface TodayReport {
  day: string;
  /** The same weekday of last week, which today is compared with. */
  compared_day: string;
  sold: SaleSums;
  /** On the compared day up to this time of day. */
  sold_before: SaleSums;
  /** Net sales, from the first to the last hour with a sale or a return on either day. */
  hours: { hour: number; total: number; tickets: number; total_before: number; tickets_before: number }[];
  /** What was received by each means, and in how many payments. */
  payments: { payment_method: string; payments: number; received: number }[];
  /** The best by amount. Lines without a product have no id; a product that never arrived has no name. */
  products: { product_id: string | null; name: string | null; quantity: number; amount: number }[];
  shifts: (SaleSums & {
    id: string;
    register_name: string;
    opened_by: string | null;
    opened_at: string;
    status: string;
  })[];
  /** At most `maxCounted`. */
  documents: { pending: number };
  /** Products that run out within a week at the pace of the last four, the soonest first, and how many they are. */
  running_out: RunningOut[];
  running_out_count: number;
}

export const maxCounted = 100;
const shownProducts = 6;

interface HourRow extends SaleSums {
  is_today: boolean;
  hour: number;
}

/** A question about the whole business, whose text is made once, or about some sedes. */
interface Question<Of> {
  whole: string;
  of: (of: Of) => string;
}

const question = <Of>(text: (of?: Of) => string): Question<Of> => ({ whole: text(), of: text });

const hoursQuestion = question<TotalsOf>(
  (of) => `
  select day = $2::date as is_today, hour, ${keptSums} from ${totalsSource("hours", of)} h
  where account_id = $1 and day in ($2::date, $3::date) group by 1, 2`,
);

const paymentsQuestion = question<TotalsOf>(
  (of) => `
  select payment_method, sum(payments) as payments, sum(total) as received from ${totalsSource("shifts", of)} s
  where account_id = $1 and day = $2::date
  group by 1 having sum(payments) <> 0 or sum(total) <> 0 order by 3 desc, 1`,
);

const productsQuestion = question<TotalsOf>(
  (of) => `
  select nullif(s.product_id, '${nilUuid}') as product_id, p.body->>'name' as name, s.quantity, s.amount
  from (
    select product_id, sum(quantity) as quantity, sum(amount) as amount from ${totalsSource("products", of)} s
    where account_id = $1 and day = $2::date
    group by 1 having sum(amount) > 0 order by 3 desc, 1 limit ${shownProducts}
  ) s left join products p on p.account_id = $1 and p.id = s.product_id
  order by s.amount desc, s.product_id`,
);

/** Of records: with the condition that keeps to some sedes. */
const shiftsQuestion = question<string>(
  (here = "") => `
  with shifts as materialized (
    select id, status, created_at, body->>'register_name' as register_name, body->>'opened_by' as opened_by,
      body->>'opened_at' as opened_at
    from cash_sessions where account_id = $1 and status in ('open', 'suspended') and deleted_at is null ${here}
    order by created_at desc limit 20
  ), sold as (
    select cash_session_id, ${keptSums} from ${totalsSource("shifts")} s
    where account_id = $1 and day >= (select min((opened_at::timestamptz at time zone 'America/Bogota')::date) from shifts)
    group by 1
  )
  select id, register_name, opened_by, opened_at, status, ${Object.keys(noSums).map((name) => `coalesce(${name}, 0) as ${name}`)}
  from shifts left join sold on cash_session_id = id order by created_at desc`,
);

const documentsQuestion = question<string>(
  (here = "") =>
    `select count(*) from (select from invoices where account_id = $1 and status = 'pending' ${here} limit ${maxCounted}) found`,
);

/** The totals go by whole hours; the records since the last full hour are added up as they are. */
const partOfHourQuestion = question<string>((ids) => {
  const inScope: Within = (t) => {
    const here = ids === undefined ? "" : ` and coalesce(${t}.location_id, ${t}.account_id) = any(${ids}::uuid[])`;
    return `${t}.account_id = $1 and ${t}.occurred_at >= $2 and ${t}.occurred_at < $3${here}`;
  };
  const columns = columnsOf(totalsTables.hours).join(", ");
  return `select ${Object.keys(noSums).map((name) => `coalesce(${name}, 0) as ${name}`)} from (
    select ${keptSums} from (${recounted.hours(inScope)}) counted(${columns})) s`;
});

/** How the day goes, in the whole business or in these sedes. What runs out is the whole business's. */
export function readToday(
  deps: ServedReads,
  accountId: string,
  now: Date,
  locationIds: readonly string[] | null = null,
): Promise<TodayReport> {
  const pace = paceOf(bogotaDate(now));
  const scope: Scope = { accountId, locationIds };
  return keepingSpans(deps, accountId, [pace], () => readDay(deps.reads, scope, now, pace));
}

interface Scope {
  accountId: string;
  locationIds: readonly string[] | null;
}

/** All reads are sent together, and none of them reads more than a few hundred rows. */
async function readDay(db: Reads, scope: Scope, now: Date, pace: Span): Promise<TodayReport> {
  const { accountId, locationIds } = scope;
  const today = bogotaDate(now);
  const comparedDay = addDays(today, -7);
  /** The values of a question that is asked of the sedes with its last one. */
  const asked = ({ whole, of }: Question<TotalsOf>, values: unknown[]) => {
    const sedes = totalsOf(locationIds, accountId, `$${values.length + 1}`);
    return sedes ? prepared(of(sedes), [...values, locationIds]) : prepared(whole, values);
  };
  const [hours, payments, partOfHour, products, shifts, documents, runningOut] = await Promise.all([
    db.query<HourRow>(asked(hoursQuestion, [accountId, today, comparedDay])),
    db.query<TodayReport["payments"][number]>(asked(paymentsQuestion, [accountId, today])),
    soldInPartOfHour(db, scope, new Date(now.getTime() - 7 * day)),
    db.query<TodayReport["products"][number]>(asked(productsQuestion, [accountId, today])),
    db.query<TodayReport["shifts"][number]>(within(scope, shiftsQuestion)),
    db.query<{ count: number }>(within(scope, documentsQuestion)),
    readRunningOut(db, accountId, pace, locationIds),
  ]);
  const rows = hours.rows;
  const thisHour = bogotaHour(now);
  const earlier = rows.filter((row) => !row.is_today && row.hour < thisHour);
  return {
    day: today,
    compared_day: comparedDay,
    sold: addSums(rows.filter(({ is_today }) => is_today)),
    sold_before: addSums([...earlier, partOfHour]),
    hours: hoursOf(rows),
    payments: payments.rows,
    products: products.rows,
    shifts: shifts.rows,
    documents: { pending: oneRow(documents.rows).count },
    ...runningOut,
  };
}

/** A question about records of the scope. */
function within({ accountId, locationIds }: Scope, { whole, of }: Question<string>): Statement {
  if (locationIds === null) return prepared(whole, [accountId]);
  const values: unknown[] = [accountId];
  return prepared(of(`and ${allOf(atLocations(locationIds, accountId), values)}`), values);
}

async function soldInPartOfHour(db: Reads, { accountId, locationIds }: Scope, until: Date): Promise<SaleSums> {
  const since = new Date(Math.floor((until.getTime() - behindUtcMs) / hour) * hour + behindUtcMs);
  const values = [accountId, since, until];
  const { whole, of } = partOfHourQuestion;
  const statement = locationIds === null ? prepared(whole, values) : prepared(of("$4"), [...values, locationIds]);
  const { rows } = await db.query<SaleSums>(statement);
  return oneRow(rows);
}

function hoursOf(rows: readonly HourRow[]): TodayReport["hours"] {
  const sold = rows.filter(({ tickets, returned }) => tickets !== 0 || returned !== 0).map((row) => row.hour);
  if (sold.length === 0) return [];
  const first = Math.min(...sold);
  return Array.from({ length: Math.max(...sold) - first + 1 }, (_, i) => {
    const inHour = rows.filter((row) => row.hour === first + i);
    const now = addSums(inHour.filter(({ is_today }) => is_today));
    const before = addSums(inHour.filter(({ is_today }) => !is_today));
    return {
      hour: first + i,
      ...{ total: now.net, tickets: now.tickets, total_before: before.net, tickets_before: before.tickets },
    };
  });
}
