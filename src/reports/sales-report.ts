import { nilUuid, type TotalsName, totalsSource } from "../business/sale-totals/tables.ts";
import type { Reads } from "../db/shared-reads.ts";
import { prepared, sql, unnested } from "../db/sql.ts";
import { keepingSpans, type ServedReads } from "./keep-spans.ts";
import { partsOf } from "./parts.ts";
import type { Period } from "./period.ts";
import { ofParts, productSumsSql } from "./product-sums.ts";

export const saleGroupings = [
  "day",
  "week",
  "month",
  "hour",
  "product",
  "category",
  "register",
  "cashier",
  "payment_method",
] as const;
export type SaleGrouping = (typeof saleGroupings)[number];

export interface SalesRow {
  /** The day, the first day of the week or month, the hour, or the record's id; null when there is no such record. */
  key: string | null;
  /** Null where the key says it all, or where the record is unknown. */
  label: string | null;
  tickets: number;
  total: number;
  tax: number;
  discount: number;
  tip: number;
  /** Money given back in the period; the other sums are what is left after it. */
  returned: number;
  /** Only by product and category, whose rows count lines instead of tickets. */
  quantity: number | null;
}

export interface SalesReport extends Period {
  by: SaleGrouping;
  rows: SalesRow[];
  totals: Omit<SalesRow, "key" | "label">;
  /** The smallest rows were left out, of `totals` too. */
  is_cut: boolean;
}

/** More would not be read on a page; the downloads have as many. */
export const maxReportRows = 5_000;

const sums = ["tickets", "total", "tax", "discount", "tip", "returned"]
  .map((name) => `sum(${name}) as ${name}`)
  .join(", ");
const inPeriod = "account_id = $1 and day between $2::date and $3::date";
const byKey = (table: TotalsName, key: string) =>
  `select ${key} as key, null::text as label, ${sums} from ${totalsSource(table)} t where ${inPeriod} group by 1`;

/** Shifts are few: their totals are made first, and then named. */
const byShift = (label: string, registers = "") => `
  select ${label} as key, ${label} as label, ${sums}
  from (select cash_session_id, device_id, ${sums} from ${totalsSource("shifts")} t where ${inPeriod} group by 1, 2) shifts
  left join cash_sessions c on c.account_id = $1 and c.id = shifts.cash_session_id
  ${registers}
  group by 1`;

/** Registers are a directory: their names are read apart, and given. */
const named = `left join ${unnested("$4::uuid[]", "$5::text[]")} as d(id, name) on d.id = shifts.device_id`;

const lineSums = "0 as tax, 0 as discount, 0 as tip, 0 as returned";

const texts: Record<SaleGrouping, string> = {
  day: byKey("hours", "day::text"),
  week: byKey("hours", "date_trunc('week', day)::date::text"),
  month: byKey("hours", "date_trunc('month', day)::date::text"),
  hour: byKey("hours", "hour::text"),
  payment_method: byKey("shifts", "payment_method"),
  register: byShift("coalesce(c.body->>'register_name', d.name)", named),
  cashier: byShift("c.body->>'opened_by'"),
  product: `
    select nullif(s.product_id, '${nilUuid}')::text as key, p.body->>'name' as label, s.lines as tickets, s.amount as total,
      ${lineSums}, s.quantity
    from (${productSumsSql}) s left join products p on p.account_id = $1 and p.id = s.product_id`,
  // Named last: a category's body is read once, not for each of its products.
  category: `
    select g.id::text as key, g.body->>'name' as label, sum(c.tickets) as tickets, sum(c.total) as total, ${lineSums},
      sum(c.quantity) as quantity
    from (
      select p.category_id, sum(s.lines) as tickets, sum(s.amount) as total, sum(s.quantity) as quantity
      from (${productSumsSql}) s left join products p on p.account_id = $1 and p.id = s.product_id group by 1
    ) c left join categories g on g.account_id = $1 and g.id = c.category_id
    group by 1, 2`,
};

const timeGroupings: readonly SaleGrouping[] = ["day", "week", "month", "hour"];
const lineGroupings: readonly SaleGrouping[] = ["product", "category"];

type Row = SalesRow & { row_count: number };

export type SalesQuery = { by: SaleGrouping } & Period;

/** Keeps what the report had to add up, so that the next one is quick. */
export function readSalesReportKeeping(deps: ServedReads, accountId: string, query: SalesQuery): Promise<SalesReport> {
  const spans = lineGroupings.includes(query.by) ? partsOf(query).spans : [];
  return keepingSpans(deps, accountId, spans, () => readSalesReport(deps.pool, accountId, query));
}

/** One question to the totals, never to the sales: a year of a large shop takes some tens of milliseconds. */
export async function readSalesReport(
  db: Reads,
  accountId: string,
  { by, from, to }: SalesQuery,
): Promise<SalesReport> {
  const hasLines = lineGroupings.includes(by);
  const order = !timeGroupings.includes(by) ? "total desc, key" : by === "hour" ? "key::int" : "key";
  // A row of which every sale was cancelled keeps zeros.
  const text = `select g.*, count(*) over () as row_count from (${texts[by]}) g where tickets <> 0 or total <> 0
    order by ${order} limit ${maxReportRows}`;
  const parts = partsOf({ from, to });
  const statement = hasLines
    ? ofParts(accountId, text, [...parts.spans, ...parts.days])
    : prepared(text, [accountId, from, to, ...(by === "register" ? await registerNames(db, accountId) : [])]);
  const { rows } = await db.query<Row>(statement);
  const data = rows.map(({ row_count, ...row }): SalesRow => ({ ...row, quantity: hasLines ? row.quantity : null }));
  return { by, from, to, rows: data, totals: totalOf(data, hasLines), is_cut: (rows[0]?.row_count ?? 0) > data.length };
}

async function registerNames(db: Reads, accountId: string): Promise<[ids: string[], names: string[]]> {
  const { rows } = await db.query<{ id: string; name: string }>(
    sql`select id, name from devices where account_id = ${accountId}`,
  );
  return [rows.map(({ id }) => id), rows.map(({ name }) => name)];
}

function totalOf(rows: readonly SalesRow[], hasLines: boolean): SalesReport["totals"] {
  const total = { tickets: 0, total: 0, tax: 0, discount: 0, tip: 0, returned: 0, quantity: hasLines ? 0 : null };
  for (const row of rows) {
    total.tickets += row.tickets;
    total.total += row.total;
    total.tax += row.tax;
    total.discount += row.discount;
    total.tip += row.tip;
    total.returned += row.returned;
    if (total.quantity !== null) total.quantity += row.quantity ?? 0;
  }
  return total;
}
