import { quotes } from "../../../../business/quotes/resource.ts";
import type { Quote } from "../../../../business/quotes/schema.ts";
import { sql } from "../../../../db/sql.ts";
import type { ServedDeps } from "../../../../deps.ts";
import { allOf, since, until } from "../../../../engine/resources/filters.ts";
import { atLocations } from "../../../../engine/resources/placed.ts";
import { type Condition, readList } from "../../../../engine/resources/read-list.ts";
import { readOne } from "../../../../engine/resources/read-one.ts";
import { foldText, searchPattern } from "../../../../engine/search/search-text.ts";
import type { Position } from "../../../../lib/cursor.ts";
import { ApiError } from "../../../../lib/errors.ts";
import type { Asked } from "../../lists/list.ts";
import type { ListedQuote, quoteList } from "../../lists/quotes.ts";
import { type NamedCustomer, namedCustomer } from "../../people/named-customer.ts";
import type { OfSedes } from "../../tables/sedes.ts";

export type QuoteRow = ListedQuote & { lines: number };

type QuoteFilters = Asked<typeof quoteList.filters> & OfSedes;

export async function readQuotes(
  deps: ServedDeps,
  accountId: string,
  query: QuoteFilters,
  limit: number,
  after: Position | undefined,
): Promise<QuoteRow[]> {
  const conditions = conditionsOf(accountId, query, deps.clock.now());
  // One row more than the caller's limit was asked for, and readList looks one further by itself.
  const { rows } = await readList(deps, { table: "quotes", accountId, conditions, order: "desc", limit, after });
  return rows.map(([, , , body]) => {
    const { object: _, items, ...quote } = shown(body, deps.clock.now());
    return { ...quote, created_at: new Date(quote.created_at), lines: items.length };
  });
}

function shown(body: string, now: Date): Quote {
  return JSON.parse(quotes.transform!(body, now).text) as Quote;
}

function conditionsOf(accountId: string, query: QuoteFilters, now: Date): Condition[] {
  return [
    ...since("created_at", query.created_since),
    ...until("created_at", query.created_until),
    ...quotes.conditions(query as never, now, accountId),
    ...atLocations(query.location_ids ?? null, accountId),
    ...quoteNamed(query.q),
  ];
}

/** By its number or its customer's name. Quotes are few, so they need no index for it. */
export function quoteNamed(q: string | undefined): Condition[] {
  if (q === undefined) return [];
  const name = searchPattern(foldText(q));
  const number = q.replace(/[\s-]/g, "").toUpperCase();
  return [
    {
      sql: `(upper(concat(body ->> 'prefix', body ->> 'number')) = ? or body ->> 'number' = ?
        or translate(lower(body ->> 'customer_name'), 'áéíóúüñ', 'aeiouun') like ?)`,
      values: [number, number, name],
      varies: true,
    },
  ];
}

export interface QuoteTotals {
  count: number;
  total: number;
}

export async function readQuoteTotals(deps: ServedDeps, accountId: string, query: QuoteFilters): Promise<QuoteTotals> {
  const values: unknown[] = [accountId];
  const { rows } = await deps.pool.query<QuoteTotals>({
    text: `select count(*) as count, coalesce(sum((body ->> 'total')::bigint), 0) as total from quotes
      where account_id = $1 and ${allOf(conditionsOf(accountId, query, deps.clock.now()), values)}`,
    values,
  });
  return rows[0]!;
}

/** A quote with its customer. */
export interface QuoteDetail {
  quote: Quote;
  customer: NamedCustomer | null;
}

export async function readQuote(deps: ServedDeps, accountId: string, id: string): Promise<QuoteDetail> {
  const row = await readOne(deps.reads, quotes, accountId, id, false);
  if (!row) throw new ApiError("NOT_FOUND", { param: "id", message: "No existe esta cotización en el negocio." });
  const quote = shown(row.body, deps.clock.now());
  const { rows } = await deps.pool.query<{ body: string }>(sql`
    select body from customers where account_id = ${accountId} and id = ${quote.customer_id}::uuid`);
  return { quote, customer: namedCustomer(rows[0]?.body ?? null) };
}
