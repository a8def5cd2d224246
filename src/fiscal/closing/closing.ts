import { cashSessions } from "../../business/cash-sessions/resource.ts";
import type { CashSession } from "../../business/cash-sessions/schema.ts";
import { reversals, type SaleSums, soldSales, sumsOf } from "../../business/sale-totals/definition.ts";
import type { Queryable } from "../../db/pool.ts";
import { oneRow } from "../../db/read.ts";
import { sql } from "../../db/sql.ts";
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

export async function readDayClosing(db: Queryable, accountId: string, date: string): Promise<Closing> {
  const { since, until } = boundsOf(date);
  const values = [accountId, since, until];
  return {
    object: "closing",
    kind: "day",
    date,
    documents: await readDayDocuments(db, accountId, date),
    ...(await readBoth(db, "s.occurred_at >= $2 and s.occurred_at < $3", values)),
    sessions: await readClosed(db, accountId, since, until),
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

async function readClosed(db: Queryable, accountId: string, since: Date, until: Date): Promise<CashSession[]> {
  const { rows } = await db.query<{ body: string }>(sql`
    select body from cash_sessions
    where account_id = ${accountId} and updated_at >= ${new Date(since.getTime() - slackMs)} and status = 'closed'
      and (body->>'closed_at')::timestamptz >= ${since} and (body->>'closed_at')::timestamptz < ${until}
    order by body->>'closed_at', id limit 500`);
  return rows.map(({ body }) => JSON.parse(body) as CashSession);
}
