import type { InvoiceSummary } from "../../../business/invoices/schema.ts";
import { paymentParts } from "../../../business/sale-totals/definition.ts";
import type { Sale } from "../../../business/sales/schema.ts";
import type { Pool } from "../../../db/pool.ts";
import { foldText } from "../../../engine/search/search-text.ts";
import { boundsOf } from "../../../fiscal/closing/day.ts";
import { ApiError } from "../../../lib/errors.ts";

/** A sale in the list of a register: what a cashier recognizes it by. */
export interface ListedSale extends Pick<Sale, "id" | "status" | "payment_method" | "total" | "occurred_at"> {
  ticket_number: number | null;
  /** The register that made it, by its shift or its device. */
  register: string | null;
  customer_name: string | null;
  /** What its first line says. */
  description: string | null;
  /** Of all parts of its payment. */
  means: string[];
  /** Numbers with their prefixes. */
  documents: string[];
  is_returned: boolean;
}

export interface SalesPage {
  sales: ListedSale[];
  cursor: string;
  has_more: boolean;
}

export interface SalesQuery {
  /** In Bogotá, as 2026-11-18. Without it, `q` looks through the newest sales, and through all documents by their number. */
  day?: string;
  q?: string;
  /** The name of a register. */
  register?: string;
  cursor: string;
  limit: number;
}

interface Row extends Omit<ListedSale, "documents" | "means"> {
  documents: string;
  payments: string | null;
  at_ms: number;
}

/** Days of a busy shop. Each takes about 0.1 ms to look through. */
const searchedSales = 2_000;
const maxWords = 8;

/** What people type has no accents. */
const bare = (text: string) => `translate(lower(${text}), 'áàäâãéèëêíìïîóòöôõúùüûñç', 'aaaaaeeeeiiiiooooouuuunc')`;

/** All that a sale is looked for by, put together once for all words: its body is read once. */
const searched = `cross join lateral (select ${bare(`concat_ws(' ', s.ticket_number, s.total, c.body ->> 'name', c.body ->> 'last_name',
    c.document_number, (select string_agg(p ->> 'reference', ' ') from json_array_elements(s.payments::json) p),
    (select string_agg(concat(i ->> 'prefix', i ->> 'number'), ' ') from json_array_elements(w.invoices) i),
    (select string_agg(i ->> 'description', ' ') from json_array_elements(w.items) i))`)} as text
  from json_to_record(s.body) as w(items json, invoices json) offset 0) h`;

/** The sales of the whole business, newest first. A day's are searched whole; without a day, the newest ones and every document. */
export async function readSales(pool: Pool, accountId: string, query: SalesQuery): Promise<SalesPage> {
  const { day, q = "", register, cursor, limit } = query;
  const values: unknown[] = [accountId];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const asked = foldText(q).split(" ").filter(Boolean).slice(0, maxWords);
  const texts = asked.map((word) => `position(${bind(word)} in h.text) > 0`);
  const after = positionOf(cursor);
  const conditions = [
    "s.account_id = $1",
    day === undefined ? recentOr(asked, bind) : within(day, bind),
    ...(register === undefined ? [] : [`coalesce(t.body ->> 'register_name', d.name) = ${bind(register)}`]),
    ...(after ? [`(s.occurred_at, s.id) < (${instant(bind(after.atMs))}, ${bind(after.id)}::uuid)`] : []),
    ...texts,
  ];
  const { rows } = await pool.query<Row>({
    text: `select s.id, s.status, s.body ->> 'payment_method' as payment_method, s.total, s.payments, s.body ->> 'occurred_at' as occurred_at,
        (extract(epoch from s.occurred_at) * 1000)::bigint as at_ms, s.ticket_number,
        coalesce(t.body ->> 'register_name', d.name) as register,
        nullif(concat_ws(' ', c.body ->> 'name', c.body ->> 'last_name'), '') as customer_name,
        left(s.body -> 'items' -> 0 ->> 'description', 200) as description, s.body -> 'invoices' as documents,
        coalesce('returned' = any(s.settled), false) as is_returned
      from sales s
      left join customers c on c.account_id = s.account_id and c.id = s.customer_id
      left join cash_sessions t on t.account_id = s.account_id and t.id = s.cash_session_id
      left join devices d on d.account_id = s.account_id and d.id = s.device_id
      ${asked.length > 0 ? searched : ""}
      where ${conditions.join(" and ")}
      order by s.occurred_at desc, s.id desc limit ${bind(limit + 1)}`,
    values,
  });
  const sales = rows.slice(0, limit);
  const last = sales.at(-1);
  const hasMore = rows.length > limit;
  return {
    sales: sales.map(({ documents, payments, at_ms, ...row }) => ({
      ...row,
      means: [...new Set(paymentParts(row, payments).map(({ payment_method }) => payment_method))],
      documents: (JSON.parse(documents) as InvoiceSummary[]).map(nameOf),
    })),
    cursor: hasMore && last ? `${last.at_ms}.${last.id}` : cursor,
    has_more: hasMore,
  };
}

/** A document that could not be issued has no number. */
function nameOf({ prefix, number }: InvoiceSummary): string {
  return number ? `${prefix ?? ""}${number}` : "Sin número";
}

type Bind = (value: unknown) => string;

/** A register's clock may say any year. */
const instant = (ms: string) => `'epoch'::timestamptz + ${ms}::bigint * interval '1 millisecond'`;

function within(day: string, bind: Bind): string {
  const { since, until } = boundsOf(day);
  return `s.occurred_at >= ${bind(since)} and s.occurred_at < ${bind(until)}`;
}

/** The newest sales, and the sale of a document whose number was typed, however old. */
function recentOr(asked: readonly string[], bind: Bind): string {
  const recent = `s.occurred_at >= coalesce((select occurred_at from sales where account_id = $1
    order by occurred_at desc, id desc offset ${searchedSales} limit 1), '-infinity')`;
  const numbers = asked.flatMap((word) => /\d{1,15}$/.exec(word)?.[0] ?? []);
  // A prefix may end in digits: every way to cut them off is tried.
  const cut = numbers.flatMap((digits) => Array.from(digits, (_, i) => String(Number(digits.slice(i)))));
  if (cut.length === 0) return recent;
  return `(${recent} or s.id in (select sale_id from invoices where account_id = $1 and body ->> 'number' = any(${bind(cut)}::text[])))`;
}

/** It names an instant and a sale of the register's own business: there is nothing in it to protect. */
function positionOf(cursor: string): { atMs: string; id: string } | undefined {
  if (cursor === "") return undefined;
  const [, atMs, id] = /^(-\d{1,14}|\d{1,15})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(cursor) ?? [];
  if (atMs === undefined) throw new ApiError("INVALID_CURSOR", { param: "cursor" });
  return { atMs, id: id! };
}
