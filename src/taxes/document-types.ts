/** A kind of document, for whatever speaks of it: paper, mail, the portal and what corrects what. */
interface DocumentType {
  /** The name that the authority gives it. */
  title: string;
  /** In a sentence: "Representación gráfica de la factura electrónica de venta". */
  noun: string;
  /** For a file's title and the subject of a mail. */
  short: string;
  /** CUFE for an invoice; every other electronic document has a CUDE. */
  code: "CUFE" | "CUDE";
  /** Whether it only takes away what another document gave. */
  isNote: boolean;
}

const note = { noun: "de la nota electrónica", short: "Nota", code: "CUDE" } as const;

export const documentTypes = {
  electronic_invoice: {
    title: "FACTURA ELECTRÓNICA DE VENTA",
    noun: "de la factura electrónica de venta",
    short: "Factura electrónica",
    code: "CUFE",
    isNote: false,
  },
  pos_document: {
    title: "DOCUMENTO EQUIVALENTE ELECTRÓNICO TIQUETE DE MÁQUINA REGISTRADORA CON SISTEMA P.O.S.",
    noun: "del documento equivalente electrónico POS",
    short: "Documento POS",
    code: "CUDE",
    isNote: false,
  },
  pos_adjustment_note: {
    ...note,
    title: "NOTA DE AJUSTE DEL DOCUMENTO EQUIVALENTE ELECTRÓNICO P.O.S.",
    noun: "de la nota de ajuste del documento equivalente electrónico",
    isNote: true,
  },
  internal_invoice: {
    title: "DOCUMENTO INTERNO DE VENTA",
    // It is not electronic: its paper is the document itself.
    noun: note.noun,
    short: "Documento interno",
    code: "CUDE",
    isNote: false,
  },
  // The notes of an invoice; `type_document_id` tells credit from debit.
  other: { ...note, title: "DOCUMENTO", isNote: true },
} as const satisfies Record<string, DocumentType>;

export type DocumentTypeName = keyof typeof documentTypes;

export const allDocumentTypes = Object.keys(documentTypes) as DocumentTypeName[];
