import type { Invoice } from "../../../business/invoices/schema.ts";
import type { Sale } from "../../../business/sales/schema.ts";
import type { Config } from "../../../config.ts";
import type { Queryable } from "../../../db/pool.ts";
import { sql } from "../../../db/sql.ts";
import { type ExplainedRule, explainRules } from "../../../fiscal/authority/rule-words.ts";
import { qrUrl } from "../../../fiscal/content/document-hash.ts";
import { buyerLink } from "../../../fiscal/documents/buyer-link.ts";
import { ApiError } from "../../../lib/errors.ts";
import { type NamedCustomer, namedCustomer } from "../people/named-customer.ts";
import { type DocumentOfSale, readDocumentsOfSale } from "./read-documents.ts";
import { canResend } from "./unissued-documents.ts";

/** A document with all that belongs to it. */
export interface DocumentDetail {
  document: Invoice;
  sale: Pick<Sale, "id" | "status" | "total" | "occurred_at"> | null;
  buyer: NamedCustomer | null;
  /** The document that this note corrects. */
  corrects: DocumentOfSale | null;
  /** Notes that correct this document, and others of the same sale. */
  notes: DocumentOfSale[];
  /** The work on it; null for a document that a register issued, or an internal one. */
  progress: { sent_at: Date | null; decided_at: Date | null; next_at: Date | null; failures: number } | null;
  /** Why it was not accepted, or what the authority remarked. */
  rules: ExplainedRule[];
  /** Where the authority shows it, for the QR; null until it has its code. */
  catalogue_url: string | null;
  /** What the buyer opens without an account; null for a document without a sale. */
  buyer_link: string | null;
  can_resend: boolean;
  is_from_register: boolean;
}

interface Row {
  body: string;
  sale: string | null;
  buyer: string | null;
  is_ours: boolean;
  doubt: boolean;
  has_sale: boolean;
  sent_at: Date | null;
  decided_at: Date | null;
  next_at: Date | null;
  failures: number | null;
  answer: string | null;
}

export async function readDocument(
  db: Queryable,
  config: Pick<Config, "environment" | "publicUrl" | "secretKeys" | "retiredKeys">,
  accountId: string,
  id: string,
): Promise<DocumentDetail> {
  const { rows } = await db.query<Row>(sql`
    select i.body, s.body as sale, c.body as buyer, f.invoice_id is not null as is_ours,
      coalesce(f.doubt, false) as doubt, s.id is not null as has_sale, f.sent_at, f.decided_at, f.due_at as next_at, f.failures,
      f.last_answer as answer
    from invoices i
    left join fiscal_documents f on f.account_id = i.account_id and f.invoice_id = i.id
    left join sales s on s.account_id = i.account_id and s.id = i.sale_id
    left join customers c on c.account_id = s.account_id and c.id = s.customer_id
    where i.account_id = ${accountId} and i.id = ${id}`);
  const row = rows[0];
  if (!row) throw new ApiError("NOT_FOUND", { param: "id", message: "No existe este documento en el negocio." });
  const document = JSON.parse(row.body) as Invoice;
  const related = document.sale_id === null ? [] : await readDocumentsOfSale(db, accountId, document.sale_id);
  const own = related.find((one) => one.id === document.id);
  const isUnissued = document.status === "rejected" || document.status === "emission_failed";
  return {
    document,
    sale: row.sale === null ? null : shownSale(JSON.parse(row.sale) as Sale),
    buyer: namedCustomer(row.buyer),
    corrects: related.find((one) => one.id === own?.corrects) ?? null,
    notes: related.filter((one) => one.corrects === document.id),
    progress: progressOf(row),
    rules: explained(document, isUnissued, row.answer),
    catalogue_url: document.cufe ? qrUrl(document.cufe, config.environment === "live" ? "production" : "test") : null,
    buyer_link: document.sale_id === null ? null : buyerLink(config, { accountId, saleId: document.sale_id }),
    can_resend: isUnissued && canResend(row),
    is_from_register: !row.is_ours && document.document_type !== "internal_invoice",
  };
}

/** An accepted document is explained only where the authority left a remark. */
function explained({ dian_message }: Invoice, isUnissued: boolean, answer: string | null): ExplainedRule[] {
  return explainRules(dian_message ?? answer).filter(({ code }) => isUnissued || code !== null);
}

function progressOf({ is_ours, sent_at, decided_at, next_at, failures }: Row): DocumentDetail["progress"] {
  return is_ours ? { sent_at, decided_at, next_at, failures: failures ?? 0 } : null;
}

function shownSale({ id, status, total, occurred_at }: Sale): DocumentDetail["sale"] {
  return { id, status, total, occurred_at };
}
