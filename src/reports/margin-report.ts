import { type CostSums, costSumNames, costSumsSql, type MarginSums, marginOf } from "../business/sale-totals/margin.ts";
import { nilUuid } from "../business/sale-totals/tables.ts";
import type { Pool } from "../db/pool.ts";
import { oneRow } from "../db/read.ts";
import type { Reads } from "../db/shared-reads.ts";
import { prepared, sql } from "../db/sql.ts";
import { transaction } from "../db/transaction.ts";
import type { ServedReads } from "./keep-spans.ts";
import { partsOf } from "./parts.ts";
import { addDays, type Period } from "./period.ts";
import { boundsOf } from "./product-sums.ts";
import { maxReportRows } from "./sales-report.ts";

export const marginGroupings = ["day", "product", "category", "location", "cashier", "customer"] as const;
export type MarginGrouping = (typeof marginGroupings)[number];

export interface MarginRow extends MarginSums {
  /** The day, or the record's id; null when there is no such record. */
  key: string | null;
  label: string | null;
}

export interface MarginReport extends Period {
  by: MarginGrouping;
  rows: MarginRow[];
  totals: MarginSums;
  /** The rows with the least net sales were left out; the totals have them. */
  is_cut: boolean;
}

/** What ended stretches are kept by: the column of a line. Its text is the key, empty for none. */
const dimensions = { day: "day", product: "product_id", shift: "cash_session_id", customer: "customer_id" };
type Dimension = keyof typeof dimensions;

const dimensionOf: Record<MarginGrouping, Dimension> = {
  ...{ day: "day", location: "day", product: "product", category: "product", cashier: "shift", customer: "customer" },
};

const added = costSumNames.map((name) => `sum(${name}) as ${name}`).join(", ");
const arrays = costSumNames.map((name) => `s.${name}`).join(", ");
const names = costSumNames.join(", ");

/** $1 the account, $2 and $3 the first and last days of the parts, $4 the dimension, $5 the sedes or null. Kept, or line by line. */
const source = (dimension: Dimension) => `
  with part as materialized (select * from unnest($2::date[], $3::date[]) as p(first_day, last_day)),
  open as materialized (
    select * from part where not exists (
      select from margin_spans s where s.account_id = $1 and s.first_day = part.first_day and s.last_day = part.last_day
        and s.dimension = $4)
  ), counted as (
    select s.location_id, u.* from part
    join margin_spans s on s.account_id = $1 and s.first_day = part.first_day and s.last_day = part.last_day and s.dimension = $4
    cross join lateral unnest(s.keys, ${arrays}) as u(key, ${names})
    union all
    select coalesce(d.location_id, d.account_id), coalesce(d.${dimensions[dimension]}::text, ''), ${costSumsSql} from open
    join sale_costs d on d.account_id = $1 and d.day between open.first_day and open.last_day
    group by d.account_id, d.location_id, d.${dimensions[dimension]}
  )`;
const here = "($5::uuid[] is null or location_id = any($5::uuid[]))";
const summed = `select key, ${added} from counted where ${here} group by 1`;

const texts: Record<MarginGrouping, string> = {
  day: `select key, null::text as label, ${names} from (${summed}) s`,
  location: `
    select s.key, l.body->>'name' as label, ${names}
    from (select location_id::text as key, ${added} from counted where ${here} group by 1) s
    left join locations l on l.account_id = $1 and l.id = s.key::uuid`,
  product: `
    select nullif(s.key, '${nilUuid}') as key, p.body->>'name' as label, ${names} from (${summed}) s
    left join products p on p.account_id = $1 and p.id = s.key::uuid`,
  category: `
    select g.id::text as key, g.body->>'name' as label, ${added}
    from (${summed}) s left join products p on p.account_id = $1 and p.id = s.key::uuid
    left join categories g on g.account_id = $1 and g.id = p.category_id group by g.id, g.body->>'name'`,
  cashier: `
    select c.body->>'opened_by' as key, c.body->>'opened_by' as label, ${added}
    from (${summed}) s left join cash_sessions c on c.account_id = $1 and c.id = nullif(s.key, '')::uuid group by 1, 2`,
  customer: `
    select nullif(s.key, '') as key, nullif(concat_ws(' ', c.body->>'name', c.body->>'last_name'), '') as label, ${names}
    from (${summed}) s left join customers c on c.account_id = $1 and c.id = nullif(s.key, '')::uuid`,
};

export type MarginQuery = { by: MarginGrouping; location_ids?: readonly string[] | null } & Period;

type Row = Pick<MarginRow, "key" | "label"> &
  CostSums & { row_count: number } & { [N in `all_${keyof CostSums}`]: number };

/** Whole months and thirds, and each of the other days: all that has ended is kept. */
function stretchesOf(period: Period): Period[] {
  const { spans, days } = partsOf(period);
  return [...spans, ...days.flatMap(singleDays)];
}

function singleDays({ from, to }: Period): Period[] {
  const days: Period[] = [];
  for (let day = from; ; day = addDays(day, 1)) {
    days.push({ from: day, to: day });
    if (day >= to) return days;
  }
}

/** One question to what is kept of ended stretches, and to the lines of what has not ended. */
export async function readMarginReport(
  deps: ServedReads,
  accountId: string,
  { by, from, to, location_ids = null }: MarginQuery,
): Promise<MarginReport> {
  const parts = stretchesOf({ from, to });
  await keepMargins(deps, accountId, parts);
  const all = costSumNames.map((name) => `sum(${name}) over () as all_${name}`).join(", ");
  const order = by === "day" ? "key" : "net desc, key";
  const text = `${source(dimensionOf[by])}
    select g.*, ${all}, count(*) over () as row_count from (${texts[by]}) g
    where lines <> 0 or net <> 0 or cost <> 0 order by ${order} limit ${maxReportRows}`;
  const values = [accountId, ...boundsOf(parts), dimensionOf[by], location_ids];
  const { rows } = await deps.reads.query<Row>(prepared(text, values));
  return {
    ...{ by, from, to },
    rows: rows.map((row) => ({ key: row.key, label: row.label, ...marginOf(sumsIn(row)) })),
    totals: marginOf(sumsOfAll(rows[0])),
    is_cut: (rows[0]?.row_count ?? 0) > rows.length,
  };
}

function sumsIn({ lines, net, cost, unknown_lines, unknown_net, guess_lines }: CostSums): CostSums {
  return { lines, net, cost, unknown_lines, unknown_net, guess_lines };
}

const noSums: CostSums = { lines: 0, net: 0, cost: 0, unknown_lines: 0, unknown_net: 0, guess_lines: 0 };

function sumsOfAll(row: Row | undefined): CostSums {
  if (!row) return noSums;
  const { all_lines, all_net, all_cost, all_unknown_lines, all_unknown_net, all_guess_lines } = row;
  return {
    ...{ lines: all_lines, net: all_net, cost: all_cost },
    ...{ unknown_lines: all_unknown_lines, unknown_net: all_unknown_net, guess_lines: all_guess_lines },
  };
}

/** What one product earned in a period. */
export async function readMarginOfProduct(
  deps: ServedReads,
  accountId: string,
  productId: string,
  { from, to, location_ids = null }: Omit<MarginQuery, "by">,
): Promise<MarginSums> {
  const parts = stretchesOf({ from, to });
  await keepMargins(deps, accountId, parts);
  const sums = costSumNames.map((name) => `coalesce(sum(${name}), 0) as ${name}`).join(", ");
  const text = `${source("product")} select ${sums} from counted where ${here} and key = $6`;
  const values = [accountId, ...boundsOf(parts), "product", location_ids, productId];
  return marginOf(oneRow((await deps.reads.query<CostSums & Record<string, number>>(prepared(text, values))).rows));
}

/** What was earned in a period, of the whole business or of some sedes. */
export async function readMargin(
  deps: ServedReads,
  accountId: string,
  query: Omit<MarginQuery, "by">,
): Promise<MarginSums> {
  return (await readMarginReport(deps, accountId, { ...query, by: "day" })).totals;
}

/** Keeps what has ended and is not kept yet. A day has ended when the account has written on a later one. */
async function keepMargins(
  { pool, reads, log }: ServedReads,
  accountId: string,
  parts: readonly Period[],
): Promise<void> {
  const text = `
    select part.first_day::text as "from", part.last_day::text as "to"
    from unnest($2::date[], $3::date[]) as part(first_day, last_day)
    join account_clock c on c.account_id = $1 and part.last_day < (c.ts at time zone 'America/Bogota')::date
    where not exists (
        select from margin_spans s where s.account_id = $1 and s.first_day = part.first_day and s.last_day = part.last_day)
      and exists (select from sale_costs d where d.account_id = $1 and d.day between part.first_day and part.last_day)`;
  try {
    const { rows } = await reads.query<Period & Record<string, string>>(
      prepared(text, [accountId, ...boundsOf(parts)]),
    );
    for (const stretch of rows) await keepMargin(pool, accountId, stretch);
  } catch (error) {
    log.warn({ err: error }, "margins of ended days not kept; the next report tries again");
  }
}

const columns = Object.values(dimensions);
const isBy = (what: (name: string, column: string) => string) =>
  `case ${Object.entries(dimensions)
    .map(([name, column]) => `when grouping(${column}) = 0 then ${what(name, column)}`)
    .join(" ")} end`;
const aggregated = ["key", ...costSumNames].map((name) => `array_agg(${name})`).join(", ");
/** The lines are gone through once for all that they are kept by. */
const keepText = `
  insert into margin_spans (account_id, first_day, last_day, dimension, location_id, keys, ${names})
  select account_id, $2::date, $3::date, dimension, coalesce(location_id, account_id), ${aggregated}
  from (
    select account_id, location_id, ${isBy((name) => `'${name}'`)} as dimension,
      coalesce(${isBy((_, column) => `${column}::text`)}, '') as key, ${costSumsSql}
    from sale_costs where account_id = $1 and day between $2::date and $3::date
    group by account_id, location_id, grouping sets (${columns.map((column) => `(${column})`).join(", ")})) summed
  group by 1, 4, 5 on conflict (account_id, first_day, last_day, dimension, location_id) do nothing`;

/** Under the account's clock, so that no write can change a day unseen. If a writer holds it, the next report tries. */
async function keepMargin(pool: Pool, accountId: string, { from, to }: Period): Promise<void> {
  await transaction(pool, async (client) => {
    const { rowCount } = await client.query(
      sql`select from account_clock where account_id = ${accountId} for update skip locked`,
    );
    if (rowCount !== 0) await client.query(prepared(keepText, [accountId, from, to]));
  });
}

/** How many lines of these days were sold for less than they cost. */
export async function readSoldBelowCost(
  db: Reads,
  accountId: string,
  { from, to, location_ids = null }: Omit<MarginQuery, "by">,
): Promise<number> {
  const text = `
    select coalesce(sum(lines), 0)::bigint as lines from sale_costs
    where account_id = $1 and day between $2::date and $3::date and kind = 'sale' and cost > net
      and ($4::uuid[] is null or coalesce(location_id, account_id) = any($4::uuid[]))`;
  const { rows } = await db.query<{ lines: number }>(prepared(text, [accountId, from, to, location_ids]));
  return rows[0]?.lines ?? 0;
}
