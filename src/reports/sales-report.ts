import { addSums, keptSums, noSums, type SaleSums } from "../business/sale-totals/definition.ts";
import { nilUuid, type TotalsName, type TotalsOf, totalsOf, totalsSource } from "../business/sale-totals/tables.ts";
import type { Reads } from "../db/shared-reads.ts";
import { prepared, sql, unnested } from "../db/sql.ts";
import { keepingSpans, type ServedReads } from "./keep-spans.ts";
import { partsOf } from "./parts.ts";
import type { Period } from "./period.ts";
import { boundsOf, productSumsSql } from "./product-sums.ts";

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
  "location",
] as const;
export type SaleGrouping = (typeof saleGroupings)[number];

export interface SalesRow extends SaleSums {
  /** The day, the first day of the week or month, the hour, or the record's id; null when there is no such record. */
  key: string | null;
  /** Null where the key says it all, or where the record is unknown. */
  label: string | null;
  /**
   * What the rows are compared by. By product and category, whose rows count lines and have no other sums, what the lines were worth
   * before the sale's discount; by means of payment, whose rows count payments, what was received; else the net sales.
   */
  total: number;
  /** Only by product and category, and only of one unit: kilos and pieces have no sum. */
  quantity: number | null;
  /** The unit of the quantity. */
  unit: string | null;
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

const inPeriod = "account_id = $1 and day between $2::date and $3::date";
const byKey = (table: TotalsName, key: string, of?: TotalsOf) =>
  `select ${key} as key, null::text as label, ${keptSums} from ${totalsSource(table, of)} t where ${inPeriod} group by 1`;

const summed = ["tickets", "total", "tax", "discount", "tip", "returned", "passthrough"]
  .map((name) => `sum(${name}) as ${name}`)
  .join(", ");

/** Shifts are few: their totals are made first, and then named. */
const byShift = (label: string, of: TotalsOf | undefined, registers = "") => `
  select ${label} as key, ${label} as label, ${keptSums}
  from (select cash_session_id, device_id, ${summed} from ${totalsSource("shifts", of)} t where ${inPeriod} group by 1, 2) shifts
  left join cash_sessions c on c.account_id = $1 and c.id = shifts.cash_session_id
  ${registers}
  group by 1`;

/** Registers are a directory: their names are read apart, and given. */
const named = `left join ${unnested("$4::uuid[]", "$5::text[]")} as d(id, name) on d.id = shifts.device_id`;

const none = (names: readonly string[]) => names.map((name) => `0 as ${name}`).join(", ");
const lineSums = none(Object.keys(noSums).filter((name) => name !== "tickets"));
/** A tip or a tax has no means of its own. */
const meansSums = `sum(payments) as tickets, ${none(Object.keys(noSums).filter((name) => !["tickets", "received"].includes(name)))},
  sum(total) as received`;

/** What has no product is counted in pieces. */
const unitSql = "coalesce(p.body->>'base_unit', 'und')";

/** Each sede, also one that sold nothing. Those of the first are what the others leave of the whole. */
const byLocation = (of?: TotalsOf) => {
  const first = totalsSource("hours", { ids: "array[$1::uuid]", hasFirst: true });
  const others = `select account_id, location_id as id, ${summed} from location_hours where ${inPeriod} group by 1, 2`;
  return `
    select l.id::text as key, l.body->>'name' as label, ${keptSums}
    from locations l left join (
      select account_id, account_id as id, ${summed} from ${first} t where ${inPeriod} group by 1
      union all ${others}) s on s.account_id = $1 and s.id = l.id
    where l.account_id = $1 ${of ? `and l.id = any(${of.ids}::uuid[])` : ""} group by l.id, l.body->>'name'`;
};

const texts: Record<SaleGrouping, (of?: TotalsOf) => string> = {
  day: (of) => byKey("hours", "day::text", of),
  week: (of) => byKey("hours", "date_trunc('week', day)::date::text", of),
  month: (of) => byKey("hours", "date_trunc('month', day)::date::text", of),
  hour: (of) => byKey("hours", "hour::text", of),
  location: byLocation,
  payment_method: (
    of,
  ) => `select payment_method as key, null::text as label, ${meansSums} from ${totalsSource("shifts", of)} t
    where ${inPeriod} group by 1`,
  register: (of) => byShift("coalesce(c.body->>'register_name', d.name)", of, named),
  cashier: (of) => byShift("c.body->>'opened_by'", of),
  product: (of) => `
    select nullif(s.product_id, '${nilUuid}')::text as key, p.body->>'name' as label, s.lines as tickets, ${lineSums},
      s.amount as total, s.quantity, ${unitSql} as unit
    from (${productSumsSql(of)}) s left join products p on p.account_id = $1 and p.id = s.product_id`,
  // Named last: a category's body is read once, not for each of its products.
  category: (of) => `
    select g.id::text as key, g.body->>'name' as label, sum(c.tickets) as tickets, ${lineSums}, sum(c.total) as total,
      case when min(c.unit) = max(c.unit) then sum(c.quantity) end as quantity,
      case when min(c.unit) = max(c.unit) then min(c.unit) end as unit
    from (
      select p.category_id, ${unitSql} as unit, sum(s.lines) as tickets, sum(s.amount) as total, sum(s.quantity) as quantity
      from (${productSumsSql(of)}) s left join products p on p.account_id = $1 and p.id = s.product_id group by 1, 2
    ) c left join categories g on g.account_id = $1 and g.id = c.category_id
    group by 1, 2`,
};

const timeGroupings: readonly SaleGrouping[] = ["day", "week", "month", "hour"];
const lineGroupings: readonly SaleGrouping[] = ["product", "category"];

type Row = SalesRow & { row_count: number };

export type SalesQuery = {
  by: SaleGrouping /** Of these sedes; null for the whole business. */;
  location_ids?: readonly string[] | null;
} & Period;

/** Keeps what the report had to add up, so that the next one is quick. */
export function readSalesReportKeeping(deps: ServedReads, accountId: string, query: SalesQuery): Promise<SalesReport> {
  const spans = lineGroupings.includes(query.by) ? partsOf(query).spans : [];
  return keepingSpans(deps, accountId, spans, () => readSalesReport(deps.pool, accountId, query));
}

/** One question to the totals, never to the sales: a year of a large shop takes some tens of milliseconds. */
export async function readSalesReport(
  db: Reads,
  accountId: string,
  { by, from, to, location_ids: ids = null }: SalesQuery,
): Promise<SalesReport> {
  const hasLines = lineGroupings.includes(by);
  const order = !timeGroupings.includes(by) ? "total desc, key" : by === "hour" ? "key::int" : "key";
  const value = by === "payment_method" ? "received" : "net";
  const total = hasLines ? "" : `, ${value} as total, null::numeric as quantity, null::text as unit`;
  const names = by === "register" ? await registerNames(db, accountId) : [];
  const parts = partsOf({ from, to });
  const days = hasLines ? boundsOf([...parts.spans, ...parts.days]) : [from, to];
  const values = [accountId, ...days, ...names, ...(ids === null ? [] : [ids])];
  const of = totalsOf(ids, accountId, `$${values.length}`);
  // A row whose sales were all changed keeps zeros.
  const text = `select g.*${total}, count(*) over () as row_count from (${texts[by](of)}) g
    where tickets <> 0 or returned <> 0 or received <> 0${hasLines ? " or total <> 0" : ""}
    order by ${order} limit ${maxReportRows}`;
  const statement = prepared(text, values);
  const { rows } = await db.query<Row>(statement);
  const data = rows.map(({ row_count, ...row }): SalesRow => row);
  return { by, from, to, rows: data, totals: totalOf(data, hasLines), is_cut: (rows[0]?.row_count ?? 0) > data.length };
}

async function registerNames(db: Reads, accountId: string): Promise<[ids: string[], names: string[]]> {
  const { rows } = await db.query<{ id: string; name: string }>(
    sql`select id, name from devices where account_id = ${accountId}`,
  );
  return [rows.map(({ id }) => id), rows.map(({ name }) => name)];
}

function totalOf(rows: readonly SalesRow[], hasLines: boolean): SalesReport["totals"] {
  const sum = (name: "total" | "quantity") => rows.reduce((all, row) => all + (row[name] ?? 0), 0);
  const units = new Set(rows.map(({ unit }) => unit));
  const [unit = null] = hasLines && units.size === 1 ? units : [];
  return { ...addSums(rows), total: sum("total"), quantity: unit === null ? null : sum("quantity"), unit };
}
