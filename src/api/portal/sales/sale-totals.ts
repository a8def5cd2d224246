import {
  passthroughSql,
  paymentPartsSql,
  type RecordSums,
  reversals,
  type SaleSums,
  sumsOf,
} from "../../../business/sale-totals/definition.ts";
import { totalsSource } from "../../../business/sale-totals/tables.ts";
import type { Queryable } from "../../../db/pool.ts";
import { prepared } from "../../../db/sql.ts";
import { allOf } from "../../../engine/resources/filters.ts";
import { bogotaDate } from "../../../taxes/bogota-time.ts";
import { countedConditions, reversalConditions, type SaleFilters, saleConditions } from "./conditions.ts";
import { returnedStates, saleStateSql } from "./sale-state.ts";

/** What the listed sales, and what is listed that took sales back, add up to. */
export interface SaleTotals extends Omit<SaleSums, "discount"> {
  /** What became of the sales that are counted: all of it came back, a part did, or what was left was cancelled. */
  states: Record<"returned" | "partly_returned" | "cancelled", number>;
  /** Sales that are listed and in no sum: still open, or cancelled before they were sold. */
  uncounted: { count: number; total: number };
  /** Received by the means that was asked for, in how many payments; null if none was. The sums are of the whole sales. */
  means: { payments: number; received: number } | null;
}

type States = SaleTotals["states"];
type Sums = Omit<RecordSums, "discount"> & { count: number };

/** The index holds every column that most of this needs: those of a million sales are added up in some tenths of a second. */
export async function readSaleTotals(db: Queryable, accountId: string, filters: SaleFilters): Promise<SaleTotals> {
  const collects = await collectsForOthers(db, accountId);
  const [completed, cancelled, counted, back, states, uncounted, means] = await Promise.all([
    readSold(db, accountId, filters, "status = 'completed'", collects),
    readSold(db, accountId, filters, `status = 'cancelled' and ${isTakenBack("$1")}`, collects),
    readCounted(db, accountId, filters),
    readBack(db, accountId, filters),
    readReturned(db, accountId, filters),
    readUncounted(db, accountId, filters),
    readMeans(db, accountId, filters),
  ]);
  const { cancelled: cancelledSince, ...corrected } = counted;
  const sold = addUp(addUp(completed, cancelled), corrected);
  const { discount, ...sums } = sumsOf(sold.count, { ...sold, discount: 0 }, { ...back, discount: 0 });
  return { ...sums, states: { ...states, cancelled: cancelled.count + cancelledSince }, uncounted, means };
}

/** `account` is the parameter with the account, which conditions begin with: by it Citus finds the shard of the cancellations. */
function isTakenBack(account: string): string {
  return `id in (select c.sale_id from sale_cancellations c where c.account_id = ${account})`;
}

/** Few shops do: the others are spared reading their sales for it. */
async function collectsForOthers(db: Queryable, accountId: string): Promise<boolean> {
  const text = `select from ${totalsSource("hours")} h where account_id = $1 and passthrough <> 0 limit 1`;
  return (await db.query(prepared(text, [accountId]))).rowCount !== 0;
}

const sum = (value: string) => `coalesce(sum(${value}), 0)`;

async function readSold(
  db: Queryable,
  accountId: string,
  filters: SaleFilters,
  counts: string,
  collects: boolean,
): Promise<Sums> {
  const values: unknown[] = [];
  const { rows } = await db.query<Sums>({
    text: `select count(*) as count, ${sum("total")} as total, ${sum("tax_amount")} as tax, ${sum("tip_amount")} as tip,
        ${collects ? sum("passthrough") : "0"} as passthrough
      from sales where ${allOf(saleConditions(accountId, filters), values)} and ${counts}`,
    values,
  });
  return rows[0]!;
}

const amount = (name: string) => sum(`(body ->> '${name}')::numeric`);
const amounts = (lines: string) =>
  `count(*) as count, ${amount("total")} as total, ${amount("tax")} as tax, ${amount("tip_amount")} as tip,
    ${sum(passthroughSql(`body -> '${lines}'`))} as passthrough`;

/** Corrected sales, as they were counted. */
async function readCounted(
  db: Queryable,
  accountId: string,
  filters: SaleFilters,
): Promise<Sums & Pick<States, "cancelled">> {
  const values: unknown[] = [];
  const { rows } = await db.query<Sums & Pick<States, "cancelled">>({
    text: `select ${amounts("items")}, count(*) filter (where ${isTakenBack("$1")}) as cancelled
      from sale_corrections where ${allOf(countedConditions(accountId, filters), values)}`,
    values,
  });
  return rows[0]!;
}

async function readBack(db: Queryable, accountId: string, filters: SaleFilters): Promise<Sums> {
  const values: unknown[] = [];
  const { rows } = await db.query<Sums>({
    text: `select ${amounts("lines")} from ${reversals} b where ${allOf(reversalConditions(accountId, filters), values)}`,
    values,
  });
  return rows[0]!;
}

/** Few sales are returned, so each is looked at. */
async function readReturned(
  db: Queryable,
  accountId: string,
  filters: SaleFilters,
): Promise<Omit<States, "cancelled">> {
  const values: unknown[] = [accountId];
  const count = (state: string) => `count(*) filter (where state = '${state}') as ${state}`;
  const { rows } = await db.query<Omit<States, "cancelled">>({
    text: `select ${returnedStates.map(count)} from (
        select ${saleStateSql("sales", "$1")} as state from sales
        where account_id = $1 and status = 'completed' and id in (select sale_id from returns where account_id = $1) and id in (
          select id from sales where ${allOf(saleConditions(accountId, filters), values)}
          union all select id from sale_corrections where ${allOf(countedConditions(accountId, filters), values)})) found`,
    values,
  });
  return rows[0]!;
}

async function readUncounted(db: Queryable, accountId: string, filters: SaleFilters): Promise<SaleTotals["uncounted"]> {
  const values: unknown[] = [];
  const { rows } = await db.query<SaleTotals["uncounted"]>({
    text: `select count(*) as count, ${sum("total")} as total from sales
      where ${allOf(saleConditions(accountId, filters), values)} and status <> 'completed' and not (${isTakenBack("$1")})`,
    values,
  });
  return rows[0]!;
}

async function readMeans(db: Queryable, accountId: string, filters: SaleFilters): Promise<SaleTotals["means"]> {
  const method = filters.payment_method;
  if (method === undefined) return null;
  const values: unknown[] = [method];
  const sold = allOf(saleConditions(accountId, filters), values);
  const counted = allOf(countedConditions(accountId, filters), values);
  const back = allOf(reversalConditions(accountId, filters), values);
  const { rows } = await db.query<{ payments: number; received: number }>({
    text: `select count(*) filter (where sign = 1) as payments, ${sum("sign * p.amount")} as received
      from (select body, payments, 1 as sign from sales where ${sold} and (status = 'completed' or ${isTakenBack("$2")})
        union all select body, payments, 1 from sale_corrections where ${counted}
        union all select body, payments, -1 from ${reversals} b where ${back}) m
      cross join lateral ${paymentPartsSql("m.body", "m.payments")} p where p.payment_method = $1`,
    values,
  });
  return rows[0]!;
}

/** With its offset, an instant of the year 1 or 9999 may be on a day in Bogotá that has no year of four digits. */
function sqlDay(instant: Date): string {
  const day = bogotaDate(instant);
  if (/^\d{4}-/.test(day) && !day.startsWith("0000")) return day;
  return instant.getTime() < 0 ? "-infinity" : "infinity";
}

/** Every means that something was received by on the days asked for. */
export async function readMeansUsed(
  db: Queryable,
  accountId: string,
  { occurred_since, occurred_until }: Pick<SaleFilters, "occurred_since" | "occurred_until">,
): Promise<string[]> {
  const dayOf = (instant: string | undefined) => (instant === undefined ? null : sqlDay(new Date(instant)));
  const text = `select distinct payment_method from ${totalsSource("shifts")} t where account_id = $1
    and day between coalesce($2::date, '-infinity') and coalesce($3::date, 'infinity') order by 1`;
  const { rows } = await db.query<{ payment_method: string }>(
    prepared(text, [accountId, dayOf(occurred_since), dayOf(occurred_until)]),
  );
  return rows.map(({ payment_method }) => payment_method);
}

function addUp(one: Sums, other: Sums): Sums {
  const names = Object.keys(one) as (keyof Sums)[];
  return Object.fromEntries(names.map((name) => [name, one[name] + other[name]])) as Record<keyof Sums, number>;
}
