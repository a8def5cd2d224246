import type { Invoice } from "../../../business/invoices/schema.ts";
import type { Queryable } from "../../../db/pool.ts";
import { sql } from "../../../db/sql.ts";
import { allOf } from "../../../engine/resources/filters.ts";
import type { Position } from "../../../lib/cursor.ts";
import type { DocumentRow } from "../lists/documents.ts";
import { type DocumentFilters, documentConditions } from "./conditions.ts";

interface Row {
  id: string;
  issued_at: Date;
  location_id: string;
  body: string;
  buyer_id: string | null;
  buyer_name: string | null;
  buyer_document: string | null;
  answer: string | null;
}

/** Newest first by the document's own date. */
export async function readDocuments(
  db: Queryable,
  accountId: string,
  filters: DocumentFilters,
  limit: number,
  after: Position | undefined,
): Promise<DocumentRow[]> {
  const values: unknown[] = [accountId];
  const conditions = documentConditions(accountId, filters);
  if (after)
    conditions.push({ sql: "(issued_at, id) < (?::timestamptz, ?::uuid)", values: [after.createdAt, after.id] });
  const { rows } = await db.query<Row>({
    text: `
      select i.id, i.issued_at, coalesce(i.location_id, i.account_id) as location_id, i.body, f.last_answer as answer, s.customer_id as buyer_id,
        nullif(concat_ws(' ', c.body ->> 'name', c.body ->> 'last_name'), '') as buyer_name, c.document_number as buyer_document
      from (select id, issued_at from invoices where ${allOf(conditions, values)}
        order by issued_at desc, id desc limit ${limit}) found
      join invoices i on i.account_id = $1 and i.id = found.id
      left join fiscal_documents f on f.account_id = $1 and f.invoice_id = i.id
      left join sales s on s.account_id = $1 and s.id = i.sale_id
      left join customers c on c.account_id = $1 and c.id = s.customer_id
      order by found.issued_at desc, found.id desc`,
    values,
  });
  return rows.map(({ id, issued_at, location_id, body, buyer_id, buyer_name, buyer_document, answer }) => {
    const { document_type, status, prefix, number, cufe, subtotal, tax, total, sale_id, dian_message } = JSON.parse(
      body,
    ) as Invoice;
    const isUnissued = status === "rejected" || status === "emission_failed";
    return {
      ...{ id, issued_at, location_id, document_type, status, prefix, number, cufe, subtotal, tax, total, sale_id },
      buyer: buyer_id === null ? null : { id: buyer_id, name: buyer_name, document_number: buyer_document },
      reason: isUnissued ? (dian_message ?? answer) : null,
    };
  });
}

/** What the filtered documents add up to. Notes take away, so they are counted apart. */
export interface DocumentTotals {
  count: number;
  total: number;
  tax: number;
  notes: { count: number; total: number; tax: number };
}

/** The index holds every column that this needs. */
export async function readDocumentTotals(
  db: Queryable,
  accountId: string,
  filters: DocumentFilters,
): Promise<DocumentTotals> {
  const values: unknown[] = [];
  const isNote = "document_type in ('pos_adjustment_note', 'other')";
  const { rows } = await db.query<{ is_note: boolean; count: number; total: number; tax: number }>({
    text: `
      select ${isNote} as is_note, count(*) as count, coalesce(sum(total), 0) as total, coalesce(sum(tax_amount), 0) as tax
      from invoices where ${allOf(documentConditions(accountId, filters), values)} group by 1`,
    values,
  });
  const sumOf = (wanted: boolean) => {
    const { count = 0, total = 0, tax = 0 } = rows.find(({ is_note }) => is_note === wanted) ?? {};
    return { count, total, tax };
  };
  return { ...sumOf(false), notes: sumOf(true) };
}

/** A document of a sale, with the one it corrects. */
export interface DocumentOfSale extends Omit<Invoice, "object"> {
  /** The document that this note corrects; null for other documents, and for a note that a register made. */
  corrects: string | null;
}

/** Oldest first. */
export async function readDocumentsOfSale(db: Queryable, accountId: string, saleId: string): Promise<DocumentOfSale[]> {
  const { rows } = await db.query<{ body: string; corrects: string | null }>(sql`
    select i.body, coalesce(f.corrects, f.annuls) as corrects from invoices i
    left join fiscal_documents f on f.account_id = i.account_id and f.invoice_id = i.id
    where i.account_id = ${accountId} and i.sale_id = ${saleId} order by i.created_at, i.id`);
  return rows.map(({ body, corrects }) => {
    const { object: _, ...document } = JSON.parse(body) as Invoice;
    return { ...document, corrects };
  });
}
