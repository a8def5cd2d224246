import type { CashSession } from "../../business/cash-sessions/schema.ts";
import type { Queryable } from "../../db/pool.ts";
import { prepared } from "../../db/sql.ts";
import { allOf } from "../../engine/resources/filters.ts";
import { atLocations } from "../../engine/resources/placed.ts";
import { noteReasons } from "../content/note-reasons.ts";
import { boundsOf } from "./day.ts";

/**
 * The documents of one kind and prefix that a day or a shift issued, and how many it annulled, issued by it or before. Annulled are those
 * of a cancelled sale, and a POS document that an invoice replaced; a returned sale's is not, in however many parts it came back.
 */
export interface DocumentFigure {
  document_type: string;
  prefix: string;
  /** Null where nothing was issued, but annulled. */
  from: number | null;
  to: number | null;
  count: number;
  total: number;
  annulled: number;
  /** What the authority says of them now. It may say something else later, unlike all of the above. */
  pending: number;
  rejected: number;
}

/** When a document got its number. Sent again it has a new date, while its row has the first. */
const issuedAt = (invoice: string, row: string) => `least(${invoice}.issued_at, ${row}.created_at)`;

const isNote = "i.document_type in ('pos_adjustment_note', 'other')";
const isReplacing = (note: string) =>
  `${note}.document_type = 'pos_adjustment_note' and ${note}.body->>'document_reason' = $4`;

/**
 * Where documents are asked for: conditions on the document `i`, its row `d`, the return `r` that it is the note of, its sale `s`, that sale as
 * its day counted it `k`, its cancellation `c` and the note of its replacement `n`. $1 is the account, $4 the reason of such a note.
 */
interface Scope {
  /** Documents among which all of them are. */
  among: string;
  issued: string;
  replaced: string;
  cancelled: string;
  /** Documents that could be annulled then: one that gets its number later changes nothing. */
  known: string;
  values: [accountId: string, unknown, unknown];
  /** The sedes that issued them; null for all. */
  locationIds?: readonly string[] | null;
}

async function readDocuments(db: Queryable, scope: Scope): Promise<DocumentFigure[]> {
  const { among, issued, replaced, cancelled, known, locationIds = null } = scope;
  const values: unknown[] = [...scope.values, noteReasons.invoiced];
  const here = atLocations(locationIds, scope.values[0], "i.location_id");
  const placed = here.length === 0 ? "" : `and ${allOf(here, values)}`;
  const text = `
    with found as (
      select i.document_type, i.status, coalesce(i.body->>'prefix', '') as prefix, (i.body->>'number')::bigint as number,
        case when ${issuedAt("i", "d")} < i.issued_at and not ${isNote} then coalesce(k.body->>'total', i.body->>'total')
          else i.body->>'total' end::numeric as total,
        coalesce(${issued}, false) as is_issued,
        not ${isNote} and coalesce(${known}, false)
          and coalesce(case when n.at is null then ${cancelled} else ${replaced} end, false) as is_annulled
      from invoices i
      left join fiscal_documents d on d.account_id = i.account_id and d.invoice_id = i.id
      left join fiscal_documents o on o.account_id = i.account_id and o.invoice_id = d.corrects
      left join returns r on r.account_id = i.account_id and r.invoice_id = i.id
      left join sales s on s.account_id = i.account_id and s.id = i.sale_id
      left join sale_corrections k on k.account_id = i.account_id and k.id = i.sale_id
      left join sale_cancellations c on c.account_id = i.account_id and c.sale_id = i.sale_id
      left join lateral (
        select min(${issuedAt("m", "f")}) as at from invoices m
        left join fiscal_documents f on f.account_id = m.account_id and f.invoice_id = m.id
        where m.account_id = $1 and m.sale_id = i.sale_id and i.document_type = 'pos_document' and ${isReplacing("m")}) n on true
      where i.account_id = $1 ${placed} and (i.body->>'number')::bigint > 0 and i.id in (${among}))
    select document_type, prefix, min(number) filter (where is_issued) as from, max(number) filter (where is_issued) as to,
      (count(*) filter (where is_issued))::int as count, coalesce(sum(total) filter (where is_issued), 0) as total,
      (count(*) filter (where is_annulled))::int as annulled,
      (count(*) filter (where is_issued and status = 'pending'))::int as pending,
      (count(*) filter (where is_issued and status in ('rejected', 'emission_failed')))::int as rejected
    from found where is_issued or is_annulled group by 1, 2 order by 1, 2`;
  return (await db.query<DocumentFigure>(prepared(text, values))).rows;
}

/** A document that was sent again has a later date, and was made at most so long before it first got its number. */
const datedNear = (invoice: string) => `(${invoice}.issued_at >= $2 and ${invoice}.issued_at < $3
  or ${invoice}.issued_at >= $3 and ${invoice}.created_at >= $2::timestamptz - interval '3 days' and ${invoice}.created_at < $3)`;

const within = (instant: string) => `(${instant} >= $2 and ${instant} < $3)`;

export function readDayDocuments(
  db: Queryable,
  accountId: string,
  date: string,
  locationIds: readonly string[] | null,
): Promise<DocumentFigure[]> {
  const { since, until } = boundsOf(date);
  return readDocuments(db, {
    among: `
      select a.id from invoices a where a.account_id = $1 and ${datedNear("a")}
      union select a.id from invoices a join sale_cancellations b on b.account_id = a.account_id and b.sale_id = a.sale_id
      where b.account_id = $1 and ${within("b.occurred_at")}
      union select a.id from invoices a join invoices b on b.account_id = a.account_id and b.sale_id = a.sale_id
      where b.account_id = $1 and ${datedNear("b")} and ${isReplacing("b")}`,
    issued: within(issuedAt("i", "d")),
    replaced: within("n.at"),
    cancelled: within("c.occurred_at"),
    known: `${issuedAt("i", "d")} < $3`,
    values: [accountId, since, until],
    locationIds,
  });
}

const closedAt = "coalesce($3::timestamptz, 'infinity')";
/** The shift of the sale, as the books have it. */
const ofSale = "(case when k.id is null then s.cash_session_id else k.cash_session_id end) = $2";

/**
 * A document is of the shift of what it was issued for, a sale, a return or a cancellation, if that shift was open then. What comes from a
 * register that was offline arrives after the close and is of the shift too, with what is issued on its arrival. A note that waited for the verdict
 * on its document is of none: it has the instant of that verdict.
 */
const ofShift = `case
  when r.id is not null then r.cash_session_id = $2 and ${issuedAt("i", "d")} <= greatest(${closedAt}, r.created_at)
  when not ${isNote} then ${ofSale} and ${issuedAt("i", "d")} <= greatest(${closedAt}, s.created_at)
  when c.sale_id is not null and not coalesce(${isReplacing("i")}, false) then c.cash_session_id = $2
    and (${issuedAt("i", "d")} <= ${closedAt}
      or ${issuedAt("i", "d")} = i.created_at and o.decided_at is distinct from i.created_at)
  else ${ofSale} and ${issuedAt("i", "d")} <= ${closedAt} end`;

export function readShiftDocuments(
  db: Queryable,
  accountId: string,
  { id, closed_at }: Pick<CashSession, "id" | "closed_at">,
): Promise<DocumentFigure[]> {
  return readDocuments(db, {
    among: `
      select a.id from invoices a join sales b on b.account_id = a.account_id and b.id = a.sale_id
      where b.account_id = $1 and b.cash_session_id = $2
      union select a.id from invoices a join sale_corrections b on b.account_id = a.account_id and b.id = a.sale_id
      where b.account_id = $1 and b.cash_session_id = $2
      union select b.invoice_id from returns b where b.account_id = $1 and b.cash_session_id = $2 and b.invoice_id is not null`,
    issued: ofShift,
    replaced: `(${ofSale} and n.at <= ${closedAt})`,
    cancelled: "c.cash_session_id = $2",
    known: ofShift,
    values: [accountId, id, closed_at],
  });
}
