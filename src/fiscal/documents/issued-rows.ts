import type { Invoice } from "../../business/invoices/schema.ts";
import { prepared, type Statement } from "../../db/sql.ts";
import type { SealedDocument } from "../content/document-content.ts";
import type { NumberingRange } from "../numbering/numbering.ts";

/** A document's row in fiscal_documents. */
export interface DocumentRow {
  invoice_id: string;
  range_id: string | null;
  number: number | null;
  /** The document that this note corrects, and again if it takes back all that is left of it. */
  corrects: string | null;
  annuls: string | null;
  /** The customer that it waits for. */
  waits_for: string | null;
  content: SealedDocument | null;
  state: "unnumbered" | "queued" | "decided";
  due_at: Date | null;
}

interface RowFields {
  range?: NumberingRange;
  number?: number;
  content?: SealedDocument;
  state: DocumentRow["state"];
  dueAt?: Date;
}

export function documentRow(
  draft: { corrects?: string; annuls?: string; waitsFor?: string },
  invoice: Invoice,
  fields: RowFields,
): DocumentRow {
  return {
    invoice_id: invoice.id,
    range_id: fields.range?.id ?? null,
    number: fields.number ?? null,
    corrects: draft.corrects ?? null,
    annuls: draft.annuls ?? null,
    waits_for: (fields.state === "unnumbered" && draft.waitsFor) || null,
    content: fields.content ?? null,
    state: fields.state,
    due_at: fields.dueAt ?? null,
  };
}

/** A row's created_at is when the document got its number, or last failed to. */
export function storeDocuments(accountId: string, rows: readonly DocumentRow[], at: Date): Statement {
  return prepared(
    `insert into fiscal_documents (account_id, created_at, invoice_id, range_id, number, corrects, annuls, waits_for,
       content, state, due_at)
     select $1::uuid, $2::timestamptz, r.invoice_id, r.range_id, r.number, r.corrects, r.annuls, r.waits_for, r.content,
       r.state, r.due_at
     from json_to_recordset($3::json) as r(invoice_id uuid, range_id uuid, number bigint, corrects uuid, annuls uuid,
       waits_for uuid, content json, state text, due_at timestamptz)
     on conflict (account_id, invoice_id) do update set range_id = excluded.range_id, number = excluded.number,
       created_at = case when fiscal_documents.number is null then excluded.created_at else fiscal_documents.created_at end,
       waits_for = excluded.waits_for, content = excluded.content, state = excluded.state, due_at = excluded.due_at, claim = null, leased_until = null, doubt = false,
       failures = 0, polls = 0, track_id = null, decided_at = null`,
    [accountId, at, JSON.stringify(rows)],
  );
}

/** Stores the next number of each range; one of our own may be new. */
export function storeNextNumbers(accountId: string, ranges: readonly NumberingRange[], at: Date): Statement {
  const rows = ranges.map(({ id, kind, prefix, first, last, next }) => ({ id, kind, prefix, first, last, next }));
  return prepared(
    `insert into numbering_ranges (account_id, id, kind, prefix, first_number, last_number, next_number, created_at)
     select $1::uuid, r.id, r.kind, r.prefix, r.first, r.last, r.next, $2::timestamptz
     from json_to_recordset($3::json) as r(id uuid, kind text, prefix text, first bigint, last bigint, next bigint)
     on conflict (account_id, id) do update set next_number = excluded.next_number`,
    [accountId, at, JSON.stringify(rows)],
  );
}
