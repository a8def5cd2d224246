import type { InvoiceSummary } from "../../../business/invoices/schema.ts";
import type { Sale } from "../../../business/sales/schema.ts";
import type { Queryable } from "../../../db/pool.ts";
import type { Position } from "../../../lib/cursor.ts";
import { allOf } from "../queries/conditions.ts";
import { type SaleFilters, saleConditions } from "./filters.ts";

/** A sale in a list. */
export interface SaleRow
  extends Pick<Sale, "status" | "payment_method" | "document_kind" | "total" | "tax" | "tip_amount" | "discount"> {
  id: string;
  occurred_at: Date;
  customer: { id: string; name: string | null } | null;
  /** The register's name; null when the sale has neither a shift nor a device. */
  register: string | null;
  cashier: string | null;
  documents: InvoiceSummary[];
  lines: number;
}

interface Row {
  id: string;
  occurred_at: Date;
  status: string;
  payment_method: string;
  document_kind: Sale["document_kind"];
  total: number;
  tax: number;
  tip_amount: number;
  discount: number;
  customer_id: string | null;
  customer_name: string | null;
  register: string | null;
  cashier: string | null;
  documents: string;
  lines: number;
}

/** Newest first by the register's clock. The ids are found in the index alone; only the rows of the page are read. */
export async function readSales(
  db: Queryable,
  accountId: string,
  filters: SaleFilters,
  limit: number,
  after: Position | undefined,
): Promise<SaleRow[]> {
  const values: unknown[] = [accountId];
  const conditions = saleConditions(accountId, filters);
  if (after)
    conditions.push({ sql: "(occurred_at, id) < (?::timestamptz, ?::uuid)", values: [after.createdAt, after.id] });
  const { rows } = await db.query<Row>({
    text: `
      select s.id, s.occurred_at, s.body ->> 'status' as status, s.body ->> 'payment_method' as payment_method,
        s.document_kind, s.total, s.tax_amount as tax, s.tip_amount, (s.body ->> 'discount')::bigint as discount, s.customer_id,
        nullif(concat_ws(' ', c.body ->> 'name', c.body ->> 'last_name'), '') as customer_name,
        coalesce(t.body ->> 'register_name', d.name) as register, t.body ->> 'opened_by' as cashier,
        s.body -> 'invoices' as documents, json_array_length(s.body -> 'items') as lines
      from (select id, occurred_at from sales where ${allOf(conditions, values)}
        order by occurred_at desc, id desc limit ${limit}) found
      join sales s on s.account_id = $1 and s.id = found.id
      left join customers c on c.account_id = $1 and c.id = s.customer_id
      left join cash_sessions t on t.account_id = $1 and t.id = s.cash_session_id
      left join devices d on d.account_id = $1 and d.id = s.device_id
      order by found.occurred_at desc, found.id desc`,
    values,
  });
  return rows.map(({ customer_id, customer_name, documents, ...row }) => ({
    ...row,
    customer: customer_id === null ? null : { id: customer_id, name: customer_name },
    documents: JSON.parse(documents) as InvoiceSummary[],
  }));
}

/** What the filtered sales add up to. */
export interface SaleTotals {
  count: number;
  total: number;
  tax: number;
  tip_amount: number;
  /** Cancelled sales add nothing to the sums above, unless only they were asked for. */
  cancelled: { count: number; total: number };
}

/** The index holds every column that this needs. */
export async function readSaleTotals(db: Queryable, accountId: string, filters: SaleFilters): Promise<SaleTotals> {
  const values: unknown[] = [];
  const counted = filters.status === "cancelled" ? "true" : "status <> 'cancelled'";
  const { rows } = await db.query<Omit<SaleTotals, "cancelled"> & { cancelled_count: number; cancelled_total: number }>(
    {
      text: `
      select count(*) filter (where ${counted}) as count,
        coalesce(sum(total) filter (where ${counted}), 0) as total, coalesce(sum(tax_amount) filter (where ${counted}), 0) as tax,
        coalesce(sum(tip_amount) filter (where ${counted}), 0) as tip_amount,
        count(*) filter (where status = 'cancelled') as cancelled_count,
        coalesce(sum(total) filter (where status = 'cancelled'), 0) as cancelled_total
      from sales where ${allOf(saleConditions(accountId, filters), values)}`,
      values,
    },
  );
  const { cancelled_count, cancelled_total, ...totals } = rows[0]!;
  return { ...totals, cancelled: { count: cancelled_count, total: cancelled_total } };
}

/** What the list can be filtered by: the words that this shop's registers use. */
export interface SaleChoices {
  registers: string[];
  payment_methods: string[];
  statuses: string[];
}

/** Of the newest sales and shifts: a shop's words rarely change. */
const newestSales = 2_000;
const newestShifts = 500;

export async function readSaleChoices(db: Queryable, accountId: string): Promise<SaleChoices> {
  const { rows } = await db.query<SaleChoices>({
    text: `
      with newest as materialized (
        select payment_method, status from sales where account_id = $1 order by occurred_at desc, id desc limit ${newestSales}),
      shifts as materialized (
        select body ->> 'register_name' as name from (
          select body from cash_sessions where account_id = $1 order by created_at desc, id desc limit ${newestShifts}) t)
      select
        array(select name from shifts where name is not null union select name from devices where account_id = $1 order by 1)
          as registers,
        array(select distinct payment_method from newest where payment_method is not null order by 1) as payment_methods,
        array(select distinct status from newest order by 1) as statuses`,
    values: [accountId],
  });
  return rows[0]!;
}
