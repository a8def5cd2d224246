import { cashSessions } from "../../business/cash-sessions/resource.ts";
import type { CashSession } from "../../business/cash-sessions/schema.ts";
import { reversals, type SaleSums, soldSales, sumsOf } from "../../business/sale-totals/definition.ts";
import type { Queryable } from "../../db/pool.ts";
import { oneRow } from "../../db/read.ts";
import { prepared, sql } from "../../db/sql.ts";
import { allOf } from "../../engine/resources/filters.ts";
import { atLocations } from "../../engine/resources/placed.ts";
import { loadMany } from "../../engine/resources/read-one.ts";
import { day } from "../../lib/clock.ts";
import { boundsOf } from "./day.ts";
import { type DocumentFigure, readDayDocuments, readShiftDocuments } from "./documents.ts";
import { type Figures, type PaymentFigure, readFigures } from "./figures.ts";

/** The close of a shift, called X while it is open and Z at its end, or of a day. */
export interface Closing {
  object: "closing";
  kind: "shift" | "day";
  /** The day in Bogotá; null for a shift. */
  date: string | null;
  /** The sede of a shift, or of a day where it is that of one; absent for all of them. */
  location_id?: string;
  /** The sedes of a day where it is that of several, but not of all. */
  location_ids?: readonly string[];
  documents: DocumentFigure[];
  sales: Figures;
  /** What took sales back: returns, cancellations and corrections, on the day they happened. */
  returns: Figures;
  sums: SaleSums;
  /** What was left of each means, in how many payments of sales: together `sums.received`. */
  received: PaymentFigure[];
  /** The shift itself, or those that closed on the day. */
  sessions: CashSession[];
  /** Only for a shift: cash that the portal returned out of its drawer. Its register may have closed before it heard of it. */
  from_portal: { count: number; amount: number } | null;
}

/** The sales within, or what took sales back within: conditions on `s`. */
const sold = (within: string) => `select s.body, s.payments from ${soldSales} s where s.account_id = $1 and ${within}`;
const takenBack = (within: string) =>
  `select s.body, s.payments from ${reversals} s where s.account_id = $1 and ${within}`;

/** What was sold and taken back, with what both add up to. */
async function readBoth(db: Queryable, within: string, values: unknown[]) {
  const sales = await readFigures(db, { text: sold(within), values });
  const returns = await readFigures(db, { text: takenBack(within), values });
  return { sales, returns, sums: sumsOf(sales.count, sales, returns), received: receivedBy(sales, returns) };
}

function receivedBy(sales: Figures, returns: Figures): PaymentFigure[] {
  const left = new Map(sales.payments.map((one) => [one.payment_method, { ...one }]));
  for (const { payment_method, amount } of returns.payments) {
    const kept = left.get(payment_method) ?? { payment_method, count: 0, amount: 0 };
    left.set(payment_method, { ...kept, amount: kept.amount - amount });
  }
  return [...left.values()]
    .filter(({ count, amount }) => count > 0 || amount !== 0)
    .sort((a, b) => b.amount - a.amount);
}

/** Of all sedes, or of these. */
export async function readDayClosing(
  db: Queryable,
  accountId: string,
  date: string,
  locationIds: readonly string[] | null = null,
): Promise<Closing> {
  const { since, until } = boundsOf(date);
  const values: unknown[] = [accountId, since, until];
  const here = atLocations(locationIds, accountId, "s.location_id");
  const within = allOf([{ sql: "s.occurred_at >= $2 and s.occurred_at < $3", values: [] }, ...here], values);
  return {
    object: "closing",
    kind: "day",
    date,
    ...(locationIds?.length === 1 && { location_id: locationIds[0] }),
    ...(locationIds && locationIds.length !== 1 && { location_ids: locationIds }),
    documents: await readDayDocuments(db, accountId, date, locationIds),
    ...(await readBoth(db, within, values)),
    sessions: await readClosed(db, accountId, { since, until, locationIds }),
    from_portal: null,
  };
}

/** Undefined when the account has no such shift. */
export async function readShiftClosing(db: Queryable, accountId: string, id: string): Promise<Closing | undefined> {
  const session = (await loadMany(db, cashSessions, accountId, [id])).get(id)?.body;
  if (!session) return undefined;
  const values = [accountId, id];
  return {
    object: "closing",
    kind: "shift",
    date: null,
    ...(session.location_id && { location_id: session.location_id }),
    documents: await readShiftDocuments(db, accountId, session),
    ...(await readBoth(db, "s.cash_session_id = $2", values)),
    sessions: [session],
    from_portal: await readFromPortal(db, accountId, id),
  };
}

/** What was left of each means in a shift, and of how many sales. */
export async function readShiftReceived(db: Queryable, accountId: string, id: string) {
  const { sales, received } = await readBoth(db, "s.cash_session_id = $2", [accountId, id]);
  return { count: sales.count, received };
}

async function readFromPortal(db: Queryable, accountId: string, sessionId: string) {
  const { rows } = await db.query<{ count: number; amount: number }>(sql`
    select count(*)::int as count, coalesce(sum(cash_amount), 0)::bigint as amount from returns
    where account_id = ${accountId} and cash_session_id = ${sessionId} and device_id is null and cash_amount > 0`);
  return oneRow(rows);
}

/** A register's clock may be wrong, and its upload late: the server's time only narrows the search. */
const slackMs = 3 * day;

async function readClosed(
  db: Queryable,
  accountId: string,
  { since, until, locationIds }: { since: Date; until: Date; locationIds: readonly string[] | null },
): Promise<CashSession[]> {
  const values: unknown[] = [accountId, new Date(since.getTime() - slackMs), since, until];
  const closed = `account_id = $1 and updated_at >= $2 and status = 'closed'
    and (body->>'closed_at')::timestamptz >= $3 and (body->>'closed_at')::timestamptz < $4`;
  const within = allOf([{ sql: closed, values: [] }, ...atLocations(locationIds, accountId)], values);
  const text = `select body from cash_sessions where ${within} order by body->>'closed_at', id limit 500`;
  const { rows } = await db.query<{ body: string }>(prepared(text, values));
  return rows.map(({ body }) => JSON.parse(body) as CashSession);
}
