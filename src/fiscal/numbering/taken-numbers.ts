import type { Queryable } from "../../db/pool.ts";
import { prepared, sql } from "../../db/sql.ts";
import type { NumberingRange } from "./numbering.ts";

/** The numbers still ahead of us that registers' own documents have, by range. */
export type TakenNumbers = ReadonlyMap<string, ReadonlySet<number>>;

export async function readTaken(db: Queryable, accountId: string): Promise<TakenNumbers> {
  const { rows } = await db.query<{ range_id: string; number: number }>(
    prepared(
      `select t.range_id, t.number from taken_numbers t
       join numbering_ranges r on r.account_id = t.account_id and r.id = t.range_id
       where t.account_id = $1 and t.number >= r.next_number`,
      [accountId],
    ),
  );
  const taken = new Map<string, Set<number>>();
  for (const { range_id, number } of rows) taken.set(range_id, (taken.get(range_id) ?? new Set()).add(number));
  return taken;
}

/** Moves the range past numbers that somebody else has used. */
export function skipTaken(range: NumberingRange, taken: TakenNumbers): void {
  const numbers = taken.get(range.id);
  if (numbers) while (numbers.has(range.next)) range.next += 1;
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
