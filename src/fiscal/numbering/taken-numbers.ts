import type { Queryable } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import type { NumberingRange } from "./numbering.ts";

/** Moves the range past numbers that somebody else has used. */
export function skipTaken(range: NumberingRange): void {
  while (range.taken.has(range.next)) range.next += 1;
}

/** Records the numbers of a range that documents of registers already have, when the range is set up or extended. */
export async function recordTakenBefore(
  db: Queryable,
  accountId: string,
  { id, kind, prefix, first, last }: Pick<NumberingRange, "id" | "kind" | "prefix" | "first" | "last">,
  at: Date,
): Promise<void> {
  if (kind === "internal") return;
  await db.query(sql`
    insert into taken_numbers (account_id, range_id, number, invoice_id, created_at)
    select ${accountId}::uuid, ${id}::uuid, (i.body->>'number')::bigint, i.id, ${at}::timestamptz from invoices i
    where i.account_id = ${accountId} and coalesce(i.body->>'prefix', '') = ${prefix}
      and i.document_type <> 'internal_invoice' and (i.body->>'number')::bigint between ${first}::bigint and ${last}::bigint
      and not exists (select from fiscal_documents d where d.account_id = i.account_id and d.invoice_id = i.id)
    on conflict do nothing`);
}
