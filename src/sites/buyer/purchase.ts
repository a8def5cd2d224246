import type { InvoiceSummary } from "../../business/invoices/schema.ts";
import { sales } from "../../business/sales/resource.ts";
import { ownDocument } from "../../business/sales/summary.ts";
import type { Pool } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import { loadMany } from "../../engine/resources/read-one.ts";
import type { Purchase } from "../../fiscal/documents/buyer-link.ts";
import { readLook } from "../../fiscal/profile/look.ts";

/** What a buyer may know of his purchase. */
export interface PurchaseSeen {
  business: string;
  /** Every document of the sale, the sale's own and the notes that correct it, as they came. */
  documents: InvoiceSummary[];
  /** The one that is shown when none is asked for. */
  own: InvoiceSummary | undefined;
  isCancelled: boolean;
  total: number;
}

/** Undefined until the register has sent it, and of a business that is gone. */
export async function readPurchase(
  pool: Pool,
  { accountId, saleId }: Purchase,
): Promise<PurchaseSeen | "not here yet" | "gone"> {
  const { rows } = await pool.query(sql`select from accounts where id = ${accountId}`);
  if (rows.length === 0) return "gone";
  const sale = (await loadMany(pool, sales, accountId, [saleId])).get(saleId)?.body;
  if (!sale) return "not here yet";
  return {
    business: (await readLook(pool, accountId)).printed_name,
    documents: sale.invoices,
    own: ownDocument(sale),
    isCancelled: sale.status === "cancelled",
    total: sale.total,
  };
}
