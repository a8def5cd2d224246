import type { Invoice } from "../../business/invoices/schema.ts";
import type { Regime } from "../../taxes/tax-classes.ts";

/** The names that the authority gives its documents, and those of the others. */
export function documentTitle({ document_type, type_document_id }: Invoice): string {
  switch (document_type) {
    case "electronic_invoice":
      return "FACTURA ELECTRÓNICA DE VENTA";
    case "pos_document":
      return "DOCUMENTO EQUIVALENTE ELECTRÓNICO TIQUETE DE MÁQUINA REGISTRADORA CON SISTEMA P.O.S.";
    case "pos_adjustment_note":
      return "NOTA DE AJUSTE DEL DOCUMENTO EQUIVALENTE ELECTRÓNICO P.O.S.";
    case "internal_invoice":
      return "DOCUMENTO INTERNO DE VENTA";
    case "other":
      return type_document_id === 4 || type_document_id === 5
        ? `NOTA ${type_document_id === 4 ? "CRÉDITO" : "DÉBITO"} DE LA FACTURA ELECTRÓNICA`
        : "DOCUMENTO";
  }
}

/** In a sentence: "Representación gráfica de la factura electrónica de venta". */
export function documentNoun({ document_type }: Invoice): string {
  switch (document_type) {
    case "electronic_invoice":
      return "de la factura electrónica de venta";
    case "pos_document":
      return "del documento equivalente electrónico POS";
    case "pos_adjustment_note":
      return "de la nota de ajuste del documento equivalente electrónico";
    default:
      return "de la nota electrónica";
  }
}

/** Short, for a file's title and the subject of a mail. */
export function shortName({ document_type }: Pick<Invoice, "document_type">): string {
  switch (document_type) {
    case "electronic_invoice":
      return "Factura electrónica";
    case "pos_document":
      return "Documento POS";
    case "internal_invoice":
      return "Documento interno";
    default:
      return "Nota";
  }
}

export function fullNumber({ prefix, number }: Pick<Invoice, "prefix" | "number">): string {
  return `${prefix ?? ""}${number}`;
}

/** CUFE for an invoice; every other electronic document has a CUDE. */
export function codeName({ document_type }: Invoice): string {
  return document_type === "electronic_invoice" ? "CUFE" : "CUDE";
}

export const regimeNames: Readonly<Record<Regime, string>> = {
  iva: "Responsable de IVA",
  inc: "Responsable del impuesto nacional al consumo (INC)",
  none: "No responsable de IVA",
};

export interface Standing {
  status: Invoice["status"];
  message: string | null;
  isElectronic: boolean;
  /** The authority has been away for longer than the business allows. */
  isContingency: boolean;
  annulledBy: string | null;
}

/** What a reader must know about a document that is not, or no longer, accepted. */
export function standingNotice({
  status,
  message,
  isElectronic,
  isContingency,
  annulledBy,
}: Standing): string | undefined {
  if (!isElectronic && status === "issued")
    return "Documento interno: no es factura ni documento equivalente ante la DIAN.";
  switch (status) {
    case "issued":
      return undefined;
    case "pending":
      return isContingency
        ? "EN CONTINGENCIA: la DIAN no responde. El documento está numerado y se transmitirá cuando vuelva; su validación está pendiente."
        : "PENDIENTE: la DIAN todavía no ha dado su veredicto; está en camino. Consúltelo más tarde con el código QR.";
    case "annulled":
      return `ANULADO${annulledBy === null ? "" : ` por la nota ${annulledBy}`}.`;
    case "rejected":
      return `RECHAZADO por la DIAN: no tiene validez. ${message ?? ""}`.trim();
    case "emission_failed":
      return `SIN EMITIR: no tiene validez. ${message ?? ""}`.trim();
  }
}
