import { lockAccount } from "../../access/accounts/account-lock.ts";
import type { ReturnColumns } from "../../business/returns/resource.ts";
import type { Return } from "../../business/returns/schema.ts";
import { type Cancellation, cancellationOf, insertCancellation } from "../../business/sales/cancellation.ts";
import type { Sale } from "../../business/sales/schema.ts";
import type { Client } from "../../db/pool.ts";
import { prepared, sql } from "../../db/sql.ts";
import { restOf } from "../../fiscal/returns/plan-return.ts";
import { type Batch, nextAccount } from "./batch.ts";

const batchSize = 50;

interface Row {
  body: string;
  device_id: string | null;
  payments: string | null;
  cancelled_at: Date;
}

/**
 * Sales that were cancelled before cancellations had rows of their own, of which only their notes tell: they count on their day, and
 * the note's day takes them back, as the close of both days has always said. Without a note a sale is as if it had never been.
 */
const formerText = `
  select s.body, s.device_id, s.payments, min(i.issued_at) as cancelled_at
  from sales s join invoices i on i.account_id = s.account_id and i.sale_id = s.id
    and i.document_type in ('pos_adjustment_note', 'other') and i.issued_at is not null
  where s.account_id = $1 and s.status = 'cancelled' and 'completed' = any(s.announced)
    and not coalesce('cancelled' = any(s.settled), false)
    and not exists (select from returns r where r.account_id = i.account_id and r.invoice_id = i.id)
    and not (i.document_type = 'pos_adjustment_note' and exists (
      select from invoices o where o.account_id = i.account_id and o.sale_id = i.sale_id
        and o.document_type = 'electronic_invoice' and o.status in ('issued', 'annulled')))
  group by s.account_id, s.id limit ${batchSize}`;

/** Account by account; at once, because the close of a former day is read from the rows. */
export async function cancellationBatch(client: Client, from: unknown): Promise<Batch | undefined> {
  const account = (from as { account: string } | null)?.account ?? (await nextAccount(client));
  if (account === undefined) return undefined;
  await lockAccount(client, account);
  const told = await fillCancellations(client, account);
  const next = told > 0 ? account : await nextAccount(client, account);
  return { seen: told, changed: told, position: next === undefined ? undefined : { account: next } };
}

/** Gives the next of them their rows. Returns how many; the account's clock must be held. Totals are counted anew afterwards. */
export async function fillCancellations(client: Client, accountId: string): Promise<number> {
  const { rows } = await client.query<Row>(prepared(formerText, [accountId]));
  for (const { cancelled_at, body, ...columns } of rows) {
    const sale = { body: JSON.parse(body) as Sale, ...columns };
    const at = { at: cancelled_at, cash_session_id: sale.body.cash_session_id };
    const made = await readReturns(client, accountId, sale.body.id);
    await store(client, accountId, cancellationOf(sale, restOf(sale.body, made), at));
  }
  return rows.length;
}

async function store(client: Client, accountId: string, cancellation: Cancellation): Promise<void> {
  await client.query(insertCancellation(accountId, cancellation));
  await client.query(sql`
    update sales set settled = coalesce(settled, '{}') || '{cancelled}'
    where account_id = ${accountId} and id = ${cancellation.sale_id}`);
}

async function readReturns(client: Client, accountId: string, saleId: string): Promise<Return[]> {
  const { rows } = await client.query<{ body: string } & ReturnColumns>(sql`
    select body from returns where account_id = ${accountId} and sale_id = ${saleId} order by seq, id`);
  return rows.map(({ body }) => JSON.parse(body) as Return);
}
