import type { Invoice } from "../../business/invoices/schema.ts";
import { documentTypes } from "../../taxes/document-types.ts";
import type { Regime } from "../../taxes/tax-classes.ts";

type Typed = Pick<Invoice, "document_type">;

/** The name that the authority gives it. */
export function documentTitle({ document_type, type_document_id }: Invoice): string {
  if (document_type === "other" && (type_document_id === 4 || type_document_id === 5))
    return `NOTA ${type_document_id === 4 ? "CRÉDITO" : "DÉBITO"} DE LA FACTURA ELECTRÓNICA`;
  return documentTypes[document_type].title;
}

export const documentNoun = ({ document_type }: Typed) => documentTypes[document_type].noun;
export const shortName = ({ document_type }: Typed) => documentTypes[document_type].short;
export const codeName = ({ document_type }: Typed) => documentTypes[document_type].code;

export function fullNumber({ prefix, number }: Pick<Invoice, "prefix" | "number">): string {
  return `${prefix ?? ""}${number}`;
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
