import type { Customer } from "../../../business/customers/schema.ts";
import type { Invoice } from "../../../business/invoices/schema.ts";
import type { Quote } from "../../../business/quotes/schema.ts";
import type { Sale } from "../../../business/sales/schema.ts";

/** The words of records in files. Values that a register made up are written as they came. */

export const saleStateWords: Record<string, string> = {
  completed: "Completada",
  returned: "Devuelta",
  partly_returned: "Devuelta en parte",
  cancelled: "Anulada",
  open: "Abierta",
  pending: "Pendiente",
};

export const saleMovementWords = {
  sale: "Venta",
  return: "Devolución",
  cancellation: "Anulación",
  correction: "Corrección",
};

export const documentKindWords: Record<Sale["document_kind"], string> = { pos: "POS", invoice: "Factura" };

export const documentTypeWords: Record<Invoice["document_type"], string> = {
  electronic_invoice: "Factura electrónica",
  pos_document: "Documento POS",
  pos_adjustment_note: "Nota de ajuste",
  internal_invoice: "Documento interno",
  other: "Nota crédito",
};

export const documentStatusWords: Record<Invoice["status"], string> = {
  pending: "En camino",
  issued: "Aceptado",
  rejected: "Rechazado",
  emission_failed: "Sin emitir",
  annulled: "Anulado",
};

export const quoteStatusWords: Record<Quote["status"], string> = {
  draft: "Borrador",
  sent: "Enviada",
  accepted: "Aceptada",
  rejected: "Rechazada",
  expired: "Vencida",
  converted: "Vendida",
};

export const personTypeWords: Record<Customer["person_type"], string> = { person: "Natural", company: "Empresa" };

export const contactChannelWords: Record<NonNullable<Customer["contact_channel"]>, string> = {
  none: "Sin dato",
  store: "Tienda",
  whatsapp: "WhatsApp",
  instagram: "Instagram",
  website: "Página web",
  referral: "Referido",
};

/** "EPOS 1024"; a document that has no number yet has none to show. */
export function documentName({ prefix, number }: { prefix: string | null; number: number | null }): string | null {
  return number === null || number === 0 ? null : `${prefix ?? ""} ${number}`.trim();
}
