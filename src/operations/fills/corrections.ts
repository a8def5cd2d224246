import { insertEntry, readBooks } from "../../business/sales/correction.ts";
import type { SaleColumns } from "../../business/sales/resource.ts";
import type { Sale } from "../../business/sales/schema.ts";
import type { Client } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import { correctionOf } from "../../fiscal/closing/correct-books.ts";
import { must } from "../../lib/must.ts";

interface Row extends SaleColumns {
  body: string;
  edited_at: Date | null;
}

/**
 * What a process of before changed of sales that were corrected already becomes a correction too: it knew nothing of their books. The
 * account's clock must be held. Totals are counted anew afterwards.
 */
export async function fillCorrections(client: Client, accountId: string): Promise<void> {
  const { rows } = await client.query<Row>(sql`
    select s.body, s.device_id, s.payments, s.settled, s.edited_at from sale_corrections k
    join sales s on s.account_id = k.account_id and s.id = k.id where k.account_id = ${accountId}`);
  const sales = rows.map(({ body, ...columns }) => ({ body: JSON.parse(body) as Sale, ...columns }));
  const books = await readBooks(
    client,
    accountId,
    sales.map(({ body }) => body.id),
  );
  for (const sale of sales) {
    const known = must(books.get(sale.body.id), "The books were read for these sales");
    const at = new Date(Math.max(sale.edited_at?.getTime() ?? 0, Date.parse(known.counted.body.occurred_at)));
    const place = { at, device_id: sale.device_id ?? null, cash_session_id: null };
    const correction = correctionOf(known, sale, place);
    if (correction) await client.query(insertEntry(accountId, correction));
  }
}
