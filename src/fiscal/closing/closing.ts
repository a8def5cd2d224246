import { cashSessions } from "../../business/cash-sessions/resource.ts";
import type { CashSession } from "../../business/cash-sessions/schema.ts";
import type { Queryable } from "../../db/pool.ts";
import { prepared, sql } from "../../db/sql.ts";
import { loadMany } from "../../engine/resources/read-one.ts";
import { day } from "../../lib/clock.ts";
import { boundsOf } from "./day.ts";
import { type Figures, readFigures } from "./figures.ts";

/** The documents of one kind and prefix. */
export interface DocumentFigure {
  document_type: string;
  prefix: string;
  from: number;
  to: number;
  count: number;
  total: number;
  pending: number;
  annulled: number;
  rejected: number;
}

/** The close of a shift, called X while it is open and Z at its end, or of a day. */
export interface Closing {
  object: "closing";
  kind: "shift" | "day";
  /** The day in Bogotá; null for a shift. */
  date: string | null;
  documents: DocumentFigure[];
  sales: Figures;
  /** What went back: returns, and sales that were cancelled after they had a document. */
  returns: Figures;
  /** The shift itself, or those that closed on the day. */
  sessions: CashSession[];
}

/**
 * A sale whose document was issued stays in the figures of its day when it is cancelled: the note takes it back on the
 * note's own day. Otherwise the close of a past day would change.
 */
const isSold = `(s.status = 'completed' or (s.status = 'cancelled' and exists (
  select from invoices i where i.account_id = s.account_id and i.sale_id = s.id
    and i.document_type in ('electronic_invoice', 'pos_document') and i.status in ('issued', 'annulled'))))`;

/**
 * Returns, and the notes of cancelled sales, which say what they take back; one that a register issued takes back the
 * whole sale. A note of a return is the return's own. That of a POS document which an invoice replaced takes nothing back:
 * the invoice's own note does.
 */
const reversed = (returnsWithin: string, notesWithin: string) => `
  select r.body, r.payments from returns r where r.account_id = $1 and ${returnsWithin}
  union all
  select coalesce(d.content, s.body), s.payments
  from invoices i join sales s on s.account_id = i.account_id and s.id = i.sale_id and s.status = 'cancelled'
  left join fiscal_documents d on d.account_id = i.account_id and d.invoice_id = i.id
  where i.account_id = $1 and i.document_type in ('pos_adjustment_note', 'other') and ${notesWithin}
    and not exists (select from returns r where r.account_id = i.account_id and r.invoice_id = i.id)
    and not (i.document_type = 'pos_adjustment_note' and exists (
      select from invoices o where o.account_id = i.account_id and o.sale_id = i.sale_id
        and o.document_type = 'electronic_invoice' and o.status in ('issued', 'annulled')))`;

export async function readDayClosing(db: Queryable, accountId: string, date: string): Promise<Closing> {
  const { since, until } = boundsOf(date);
  const values = [accountId, since, until];
  const within = "s.account_id = $1 and s.occurred_at >= $2 and s.occurred_at < $3";
  return {
    object: "closing",
    kind: "day",
    date,
    documents: await readDocuments(db, "i.account_id = $1 and i.issued_at >= $2 and i.issued_at < $3", values),
    sales: await readFigures(db, {
      text: `select s.body, s.payments from sales s where ${within} and ${isSold}`,
      values,
    }),
    returns: await readFigures(db, {
      text: reversed("r.occurred_at >= $2 and r.occurred_at < $3", "i.issued_at >= $2 and i.issued_at < $3"),
      values,
    }),
    sessions: await readClosed(db, accountId, since, until),
  };
}

/** Undefined when the account has no such shift. */
export async function readShiftClosing(db: Queryable, accountId: string, id: string): Promise<Closing | undefined> {
  const session = (await loadMany(db, cashSessions, accountId, [id])).get(id)?.body;
  if (!session) return undefined;
  const values = [accountId, id];
  const within = "s.account_id = $1 and s.cash_session_id = $2";
  const ofShift = `i.account_id = $1 and i.sale_id in (select s.id from sales s where ${within})`;
  return {
    object: "closing",
    kind: "shift",
    date: null,
    documents: await readDocuments(db, ofShift, values),
    sales: await readFigures(db, {
      text: `select s.body, s.payments from sales s where ${within} and ${isSold}`,
      values,
    }),
    returns: await readFigures(db, {
      text: reversed("r.cash_session_id = $2", "s.cash_session_id = $2"),
      values,
    }),
    sessions: [session],
  };
}

async function readDocuments(db: Queryable, where: string, values: unknown[]): Promise<DocumentFigure[]> {
  const { rows } = await db.query<DocumentFigure>(
    prepared(
      `select i.document_type, coalesce(i.body->>'prefix', '') as prefix,
         min((i.body->>'number')::bigint) as from, max((i.body->>'number')::bigint) as to, count(*)::int as count,
         sum((i.body->>'total')::bigint)::bigint as total,
         (count(*) filter (where i.status = 'pending'))::int as pending,
         (count(*) filter (where i.status = 'annulled'))::int as annulled,
         (count(*) filter (where i.status in ('rejected', 'emission_failed')))::int as rejected
       from invoices i where ${where} and (i.body->>'number')::bigint > 0
       group by 1, 2 order by 1, 2`,
      values,
    ),
  );
  return rows;
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
