import type { Invoice } from "../../../business/invoices/schema.ts";
import type { UnissuedDocument } from "../documents/unissued-documents.ts";
import { listOf } from "./list.ts";
import { sedeFilter } from "./sedes.ts";
import { documentName, documentStates, documentTitles } from "./words.ts";

/** A document in a list. */
export interface DocumentRow
  extends Pick<
    Invoice,
    "document_type" | "status" | "prefix" | "number" | "cufe" | "subtotal" | "tax" | "total" | "sale_id"
  > {
  id: string;
  issued_at: Date;
  location_id: string;
  buyer: { id: string; name: string | null; document_number: string | null } | null;
  /** The authority's or this service's words, for a document that was not accepted. */
  reason: string | null;
}

export const documentList = listOf<DocumentRow>()({
  title: "Documentos",
  path: "/invoices",
  file: "/tables/invoices",
  right: "documents:read",
  isPlaced: true,
  filters: {
    ...sedeFilter,
    issued_since: { name: "desde", label: "Desde", kind: "since" },
    issued_until: { name: "hasta", label: "Hasta", kind: "until" },
    status: { name: "estado", label: "Estado", kind: "choice", options: documentStates },
    document_type: { name: "clase", label: "Clase", kind: "choice", placeholder: "Todas", options: documentTitles },
    number: { name: "numero", label: "Número", kind: "text", most: 40, placeholder: "EPOS 1024" },
    customer_id: { name: "comprador", label: "Comprador", kind: "customer" },
  },
  columns: {
    issued_at: { title: "Fecha", type: "moment", value: ({ issued_at }) => issued_at },
    name: { title: "Documento", type: "text", value: documentName, none: "Sin número" },
    document_type: { title: "Clase", type: "text", value: ({ document_type }) => documentTitles[document_type] },
    status: { title: "Estado", type: "state", value: ({ status }) => documentStates[status] },
    buyer: { title: "Comprador", type: "text", value: ({ buyer }) => buyer?.name, none: "Consumidor final" },
    buyer_document: { title: "Documento del comprador", type: "text", value: ({ buyer }) => buyer?.document_number },
    subtotal: { title: "Subtotal", type: "pesos", value: ({ subtotal }) => subtotal },
    tax: { title: "Impuestos", type: "pesos", value: ({ tax }) => tax },
    total: { title: "Total", type: "pesos", value: ({ total }) => total },
    cufe: { title: "CUFE o CUDE", type: "text", value: ({ cufe }) => cufe },
    reason: { title: "Motivo", type: "text", value: ({ reason }) => reason },
  },
  page: ["name", "document_type", "status", "issued_at", "buyer", "total"],
});

/** Those that were rejected or could not be issued. */
export const unissuedList = listOf<UnissuedDocument>()({
  title: "Documentos por atender",
  path: "/invoices/unissued",
  file: "/tables/unissued",
  right: "documents:read",
  filters: sedeFilter,
  columns: {
    created_at: { title: "Recibido", type: "moment", value: ({ created_at }) => created_at },
    name: { title: "Documento", type: "text", value: documentName },
    document_type: { title: "Clase", type: "text", value: ({ document_type }) => documentTitles[document_type] },
    status: { title: "Estado", type: "state", value: ({ status }) => documentStates[status] },
    total: { title: "Total", type: "pesos", value: ({ total }) => total },
    means: { title: "Qué pasó", type: "text", value: ({ means }) => means },
    reason: { title: "Motivo", type: "text", value: ({ reason }) => reason },
  },
  // Its page is what an owner does about each, more than a table.
  page: [],
});
