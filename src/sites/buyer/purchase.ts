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
  /** Whether the business issues documents at all. */
  isIssuer: boolean;
}

/** Undefined until the register has sent it, and of a business that is gone. */
export async function readPurchase(
  pool: Pool,
  { accountId, saleId }: Purchase,
): Promise<PurchaseSeen | "not here yet" | "gone"> {
  const { rows } = await pool.query<{ is_issuer: boolean }>(sql`
    select f.account_id is not null as is_issuer
    from accounts a left join fiscal_profiles f on f.account_id = a.id where a.id = ${accountId}`);
  const [account] = rows;
  if (!account) return "gone";
  const sale = (await loadMany(pool, sales, accountId, [saleId])).get(saleId)?.body;
  if (!sale) return "not here yet";
  return {
    business: (await readLook(pool, accountId)).printed_name,
    documents: sale.invoices,
    own: ownDocument(sale),
    isCancelled: sale.status === "cancelled",
    isIssuer: account.is_issuer,
  };
}
