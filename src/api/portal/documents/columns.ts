import { documentName, documentStatusWords, documentTypeWords } from "../lists/words.ts";
import type { Column } from "../tables/table.ts";
import type { DocumentRow } from "./read-documents.ts";
import type { UnissuedDocument } from "./unissued-documents.ts";

export const documentColumns: readonly Column<DocumentRow>[] = [
  { title: "Fecha", type: "moment", value: ({ issued_at }) => issued_at },
  { title: "Documento", type: "text", value: documentName },
  { title: "Clase", type: "text", value: ({ document_type }) => documentTypeWords[document_type] },
  { title: "Estado", type: "text", value: ({ status }) => documentStatusWords[status] },
  { title: "Comprador", type: "text", value: ({ buyer }) => buyer?.name },
  { title: "Documento del comprador", type: "text", value: ({ buyer }) => buyer?.document_number },
  { title: "Subtotal", type: "pesos", value: ({ subtotal }) => subtotal },
  { title: "Impuestos", type: "pesos", value: ({ tax }) => tax },
  { title: "Total", type: "pesos", value: ({ total }) => total },
  { title: "CUFE o CUDE", type: "text", value: ({ cufe }) => cufe },
  { title: "Motivo", type: "text", value: ({ reason }) => reason },
];

export const unissuedColumns: readonly Column<UnissuedDocument>[] = [
  { title: "Recibido", type: "moment", value: ({ created_at }) => created_at },
  { title: "Documento", type: "text", value: documentName },
  { title: "Clase", type: "text", value: ({ document_type }) => documentTypeWords[document_type] },
  { title: "Estado", type: "text", value: ({ status }) => documentStatusWords[status] },
  { title: "Total", type: "pesos", value: ({ total }) => total },
  { title: "Qué pasó", type: "text", value: ({ means }) => means },
  { title: "Motivo", type: "text", value: ({ reason }) => reason },
];
