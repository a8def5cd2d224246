import { type Actor, recordAudit } from "../../access/accounts/record-audit.ts";
import { customers } from "../../business/customers/resource.ts";
import { sales } from "../../business/sales/resource.ts";
import type { Sale } from "../../business/sales/schema.ts";
import type { Write } from "../../engine/writing/write.ts";
import { type WritingDeps, writing } from "../../engine/writing/writing.ts";
import { ApiError } from "../../lib/errors.ts";
import { must } from "../../lib/must.ts";
import { issueDocuments } from "../documents/issue-documents.ts";
import type { IssuingDeps } from "../documents/issuer.ts";
import { switchProblem } from "../documents/switch-problem.ts";
import { CorrectionError } from "../returns/correction-error.ts";

/**
 * Replaces a sale's POS document by an invoice to a named buyer. The note that annuls the POS document is issued in this
 * write; the invoice follows in the write that records the note's acceptance, so that there are never two valid documents.
 */
export async function switchToInvoice(
  deps: WritingDeps & IssuingDeps,
  accountId: string,
  saleId: string,
  customerId: string,
  { actor, requestId }: { actor: Actor; requestId: string },
): Promise<Sale> {
  const work = async (write: Write): Promise<Sale> => {
    const sale = await write.load(sales, saleId);
    if (!sale) throw new ApiError("NOT_FOUND", { param: "id" });
    const settled = sale.settled ?? [];
    if (settled.includes("invoiced") && sale.body.customer_id === customerId) {
      write.discard();
      return sale.body;
    }
    if (settled.includes("invoiced"))
      throw new CorrectionError("La venta ya se está cambiando por una factura a otro cliente.", "customer_id");
    const buyer = await write.load(customers, customerId);
    const problem = switchProblem(sale.body, buyer?.body, { isReturned: settled.includes("returned") });
    if (problem) throw new CorrectionError(problem.message, problem.param);
    const changed: Sale = {
      ...sale.body,
      document_kind: "invoice",
      customer_id: customerId,
      updated_at: write.at.toISOString(),
    };
    write.placeAt(sale.body.location_id ?? accountId);
    const [issued] = await issueDocuments(deps, write, [changed], { switched: new Map([[saleId, sale.body]]) });
    const body = must(issued, "Issuing returns every sale that it was given");
    write.put(sales, { ...sale, settled: [...settled, "invoiced"], body });
    write.emit("sale.updated", body);
    const details = { sale_id: saleId, customer_id: customerId };
    await recordAudit(write.client, { accountId, at: write.at, action: "sale.invoiced", details, actor });
    return body;
  };
  return writing(deps, accountId, work, requestId);
}
