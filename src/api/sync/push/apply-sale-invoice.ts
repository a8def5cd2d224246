import { switchProblem } from "../../../fiscal/documents/switch-problem.ts";
import { must } from "../../../lib/must.ts";
import { applied, duplicate, type Outcome, refused } from "./outcome.ts";
import { type Incoming, idIn } from "./read-record.ts";
import type { WorkingSet } from "./working-set.ts";

/**
 * A buyer wants an invoice for a sale, at whichever register. A sale belongs to the device that made it, so that another one
 * cannot upload it changed: it uploads the wish, and the switch is the one that the owner makes in the portal.
 */
export function applySaleInvoice(batch: WorkingSet, { data }: Incoming): Outcome {
  const { sales, customers } = batch.recordSets;
  const customerId = must(idIn(data, "customer_id"), "The wish for an invoice names its buyer, or it is not readable");
  const sale = sales.get(must(idIn(data, "sale_id"), "The wish for an invoice names its sale, or it is not readable"));
  if (!sale) return impossible("La venta no está en el servicio.");
  const settled = sale.settled ?? [];
  if (settled.includes("invoiced") && sale.body.customer_id === customerId) return duplicate;
  if (settled.includes("invoiced")) return impossible("La venta ya se está cambiando por una factura a otro cliente.");
  const buyer = customers.get(customerId)?.body;
  const problem = switchProblem(sale.body, buyer, { isReturned: settled.includes("returned") });
  if (problem) return impossible(problem.message);
  const body = { ...sale.body, document_kind: "invoice" as const, customer_id: customerId, updated_at: batch.at };
  batch.switched.set(body.id, sale.body);
  sales.set({ ...sale, body, settled: [...settled, "invoiced"] });
  batch.events.push({ type: "sale.updated", body });
  return applied;
}

const impossible = (reason: string) => refused("SWITCH_NOT_POSSIBLE", reason);
