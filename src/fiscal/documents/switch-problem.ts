import type { Customer } from "../../business/customers/schema.ts";
import type { Sale } from "../../business/sales/schema.ts";
import { ownDocument } from "../../business/sales/summary.ts";

/** Why a sale's POS document cannot be replaced by an invoice to this buyer, in words for the person who asked. */
export function switchProblem(
  sale: Sale,
  buyer: Customer | undefined,
  { isReturned }: { isReturned: boolean },
): { message: string; param?: string } | undefined {
  const document = ownDocument(sale);
  if (sale.status !== "completed")
    return { message: "Solo una venta completada puede cambiar de documento, y esta no lo está." };
  if (isReturned)
    return {
      message: "La venta tiene devoluciones, y sus notas son del documento POS: ya no se puede cambiar por factura.",
    };
  if (!document) return { message: "La venta no tiene documento POS que cambiar." };
  if (document.document_type === "internal_invoice")
    return { message: "El negocio emite documentos internos: no hay documento POS que cambiar por factura." };
  if (document.document_type !== "pos_document") return { message: "La venta ya tiene factura electrónica." };
  if (document.status === "annulled") return { message: "El documento POS de la venta ya está anulado." };
  if (document.status !== "issued" && document.status !== "pending")
    return { message: "El documento POS de la venta no está emitido: corríjalo y reenvíelo antes de cambiarlo." };
  if (!buyer || buyer.deleted_at !== null)
    return { message: "El cliente no existe o fue eliminado. Elija a quién se factura.", param: "customer_id" };
  if (!buyer.document_number?.trim())
    return {
      message:
        "El cliente no tiene número de documento, y una factura lo exige. Complete sus datos y vuelva a intentarlo.",
      param: "customer_id",
    };
  return undefined;
}
