import { invoices } from "../../business/invoices/resource.ts";
import { sales } from "../../business/sales/resource.ts";
import type { Sale } from "../../business/sales/schema.ts";
import { withDocument } from "../../business/sales/summary.ts";
import { sql } from "../../db/sql.ts";
import type { Stored } from "../../engine/resources/resource.ts";
import type { Write } from "../../engine/writing/write.ts";
import type { UnsavedRecords } from "./buyers.ts";
import { draftFor } from "./issue-documents.ts";
import { type IssuingDeps, openIssuer } from "./issuer.ts";
import { loadSaleFacts } from "./sale-facts.ts";

/**
 * Issues the invoices that waited for these customers, who have now arrived. A sale of the same write is taken from
 * `saleOf`, as the write will store it.
 */
export async function issueWaiting(
  deps: IssuingDeps,
  write: Write,
  customerIds: readonly string[],
  unsaved: UnsavedRecords,
  saleOf: (id: string) => Stored<Sale> | undefined,
): Promise<void> {
  if (customerIds.length === 0) return;
  const { rows } = await write.client.query<{ invoice_id: string }>(sql`
    select invoice_id from fiscal_documents
    where account_id = ${write.accountId} and waits_for = any(${customerIds}::uuid[]) order by created_at, invoice_id`);
  if (rows.length === 0) return;
  const issuer = await openIssuer(deps, write);
  if (!issuer) return;
  const waiting = await write.loadMany(
    invoices,
    rows.map((row) => row.invoice_id),
  );
  const saleIds = [...waiting.values()].flatMap(({ body }) => body.sale_id ?? []);
  const stored = await write.loadMany(
    sales,
    saleIds.filter((id) => !saleOf(id)),
  );
  const saleFor = (id: string | null) => (id === null ? undefined : (saleOf(id) ?? stored.get(id)));
  const facts = await loadSaleFacts(
    issuer,
    write,
    saleIds.flatMap((id) => saleFor(id)?.body ?? []),
    unsaved,
  );
  for (const earlier of waiting.values()) {
    const sale = saleFor(earlier.body.sale_id);
    if (sale?.body.status !== "completed" || earlier.body.status !== "emission_failed") continue;
    const issued = issuer.issue({ ...draftFor(issuer, sale.body, facts), earlier });
    write.put(sales, { ...sale, body: { ...withDocument(sale.body, issued), updated_at: write.at.toISOString() } });
  }
  await issuer.finish();
}
