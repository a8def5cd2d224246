import type { Invoice } from "../../../business/invoices/schema.ts";
import type { Reads } from "../../../db/shared-reads.ts";
import { sql } from "../../../db/sql.ts";
import { explainRules } from "../../../fiscal/authority/rule-words.ts";
import type { Position } from "../../../lib/cursor.ts";

/** A document that the authority rejected or that could not be issued, and that needs attention. */
export interface UnissuedDocument
  extends Pick<Invoice, "document_type" | "prefix" | "number" | "total" | "dian_status" | "sale_id"> {
  id: string;
  status: "rejected" | "emission_failed";
  /** The authority's or this service's message, with the next step where it is known. */
  reason: string | null;
  /** The first of the broken rules in plain words. */
  means: string | null;
  created_at: Date;
  updated_at: string;
  can_resend: boolean;
  /** A register numbered and signed it: it can be corrected only there. */
  is_from_register: boolean;
}

interface Row {
  id: string;
  created_at: Date;
  body: string;
  answer: string | null;
  is_ours: boolean;
  doubt: boolean;
  has_sale: boolean;
}

/** A document of ours can be sent again once its sale is here, or while nobody knows whether it arrived. */
export function canResend({ is_ours, doubt, has_sale }: Pick<Row, "is_ours" | "doubt" | "has_sale">): boolean {
  return is_ours && (doubt || has_sale);
}

/** Newest first. Documents of a cancelled sale are not issued any more, so they need no attention. */
export async function readUnissued(
  db: Reads,
  accountId: string,
  {
    limit,
    after,
    locationIds = null,
  }: { limit: number; after?: Position | undefined; locationIds?: readonly string[] | null },
): Promise<UnissuedDocument[]> {
  const { rows } = await db.query<Row>(sql`
    select found.* from unnest(array['rejected', 'emission_failed']) as wanted(status)
    cross join lateral (
      select i.id, i.created_at, i.body, d.last_answer as answer, d.invoice_id is not null as is_ours,
        coalesce(d.doubt, false) as doubt, s.id is not null as has_sale
      from invoices i
      left join fiscal_documents d on d.account_id = i.account_id and d.invoice_id = i.id
      left join sales s on s.account_id = i.account_id and s.id = i.sale_id
      where i.account_id = ${accountId} and i.status = wanted.status
        and (${locationIds}::uuid[] is null or coalesce(i.location_id, i.account_id) = any(${locationIds}::uuid[]))
        and (${after?.createdAt ?? null}::timestamptz is null
          or (i.created_at, i.id) < (${after?.createdAt ?? null}, ${after?.id ?? null}::uuid))
        and (s.status is distinct from 'cancelled' or i.document_type in ('pos_adjustment_note', 'other')
          or coalesce(d.doubt, false))
      order by i.created_at desc, i.id desc limit ${limit}
    ) as found
    order by found.created_at desc, found.id desc limit ${limit}`);
  return rows.map(({ id, created_at, body, answer, ...row }) => {
    const invoice = JSON.parse(body) as Invoice & Pick<UnissuedDocument, "status">;
    const { document_type, status, prefix, number, total, dian_status, dian_message, sale_id, updated_at } = invoice;
    const reason = dian_message ?? answer;
    const means = explainRules(reason)[0]?.means ?? null;
    const document = { id, status, document_type, prefix, number, total, dian_status, reason, means };
    return { ...document, sale_id, created_at, updated_at, can_resend: canResend(row), is_from_register: !row.is_ours };
  });
}
