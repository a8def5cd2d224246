import { must } from "../../../../lib/must.ts";
import type { SealedDocument } from "../../../content/document-content.ts";

/** What the authority's annexes say of one kind of document. */
interface Kind {
  root: "Invoice" | "CreditNote" | "DebitNote";
  customizationId: string;
  /** Literal: a different text is a rejection for POS documents. */
  profileId: string;
  /** Absent in a debit note, whose schema has no place for it. */
  typeCode?: string;
  codeScheme: "CUFE-SHA384" | "CUDE-SHA384";
  /** Whether it says the resolution that authorizes its number. */
  isNumberedByResolution: boolean;
  /** POS documents and their notes: another software, PIN, range and test set than the invoices'. */
  isEquivalent: boolean;
  /** How its file's name begins. */
  filePrefix: string;
  line: "InvoiceLine" | "CreditNoteLine" | "DebitNoteLine";
  quantity: "InvoicedQuantity" | "CreditedQuantity" | "DebitedQuantity";
  total: "LegalMonetaryTotal" | "RequestedMonetaryTotal";
}

const asInvoice = {
  root: "Invoice",
  customizationId: "10",
  isNumberedByResolution: true,
  line: "InvoiceLine",
  quantity: "InvoicedQuantity",
  total: "LegalMonetaryTotal",
} as const;

const asCreditNote = {
  root: "CreditNote",
  codeScheme: "CUDE-SHA384",
  isNumberedByResolution: false,
  line: "CreditNoteLine",
  quantity: "CreditedQuantity",
  total: "LegalMonetaryTotal",
} as const;

export const kinds = {
  invoice: {
    ...asInvoice,
    profileId: "DIAN 2.1: Factura Electrónica de Venta",
    typeCode: "01",
    codeScheme: "CUFE-SHA384",
    isEquivalent: false,
    filePrefix: "fv",
  },
  credit_note: {
    ...asCreditNote,
    customizationId: "20",
    profileId: "DIAN 2.1: Nota Crédito de Factura Electrónica de Venta",
    typeCode: "91",
    isEquivalent: false,
    filePrefix: "nc",
  },
  debit_note: {
    root: "DebitNote",
    customizationId: "30",
    profileId: "DIAN 2.1: Nota Débito de Factura Electrónica de Venta",
    codeScheme: "CUDE-SHA384",
    isNumberedByResolution: false,
    isEquivalent: false,
    filePrefix: "nd",
    line: "DebitNoteLine",
    quantity: "DebitedQuantity",
    total: "RequestedMonetaryTotal",
  },
  pos: {
    ...asInvoice,
    profileId: "DIAN 2.1: Documento Equivalente POS",
    typeCode: "20",
    codeScheme: "CUDE-SHA384",
    isEquivalent: true,
    filePrefix: "ds",
  },
  /** Its customization is the type of the document that it adjusts. */
  pos_note: {
    ...asCreditNote,
    customizationId: "20",
    profileId: "DIAN 2.1: Nota de ajuste crédito al documento equivalente",
    typeCode: "94",
    isEquivalent: true,
    filePrefix: "ncs",
  },
} as const satisfies Record<string, Kind>;

export type DocumentKind = keyof typeof kinds;
export const allKinds = Object.keys(kinds) as DocumentKind[];

export function kindOf(kind: DocumentKind): Kind {
  return kinds[kind];
}

/** The kind of a document that the service issues today; none of them is a debit note. */
export function kindOfDocument({ type_document_id }: Pick<SealedDocument, "type_document_id">): DocumentKind {
  return must(
    ({ 1: "invoice", 4: "credit_note", 15: "pos", 26: "pos_note" } as const)[type_document_id],
    "Every kind of document has its form",
  );
}
