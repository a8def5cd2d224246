import type { Static } from "typebox";
import {
  bound,
  constant,
  instant,
  listQuery,
  nullable,
  oneOf,
  recordVersion,
  uuid,
} from "../../engine/resources/fields.ts";
import { locationField, locationFilter } from "../../engine/resources/placed.ts";
import { Type } from "../../lib/schema.ts";
import { allDocumentTypes } from "../../taxes/document-types.ts";

export const invoiceStatuses = ["pending", "issued", "rejected", "emission_failed", "annulled"] as const;

/** A document inside its sale; the rest of it is read with GET /invoices/{id}. */
export const InvoiceSummary = Type.Object(
  {
    id: uuid(),
    document_type: oneOf(allDocumentTypes),
    status: oneOf(invoiceStatuses),
    cufe: nullable(Type.String()),
    prefix: nullable(Type.String()),
    number: Type.Integer(),
  },
  { $id: "invoice_summary" },
);
export type InvoiceSummary = Static<typeof InvoiceSummary>;

const at = "2026-09-28T19:05:09.120Z";

export const Invoice = Type.Object(
  {
    object: constant("invoice"),
    id: uuid(),
    sale_id: nullable(uuid()),
    document_type: oneOf(allDocumentTypes, {
      description:
        "`electronic_invoice` (tipo 1, CUFE), `pos_document` (documento equivalente POS, tipo 15, CUDE), `pos_adjustment_note` (nota de ajuste, tipo 26), `internal_invoice` (no electrónico), `other`.",
    }),
    type_document_id: nullable(Type.Integer()),
    status: oneOf(invoiceStatuses),
    dian_status: nullable(Type.String()),
    dian_message: nullable(Type.String()),
    document_reason: nullable(Type.String()),
    prefix: nullable(Type.String()),
    number: Type.Integer(),
    cufe: nullable(Type.String()),
    subtotal: Type.Integer({ description: "Bases gravables más lo no gravado." }),
    tax: Type.Integer(),
    total: Type.Integer(),
    issued_at: instant({ description: "Fecha y hora propias del documento, con las que se calculó su CUFE o CUDE." }),
    created_at: instant(),
    updated_at: instant(),
    version: recordVersion,
    ...locationField,
  },
  {
    $id: "invoice",
    examples: [
      {
        object: "invoice",
        id: "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c18",
        sale_id: "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c16",
        document_type: "pos_document",
        type_document_id: 15,
        status: "issued",
        dian_status: "00",
        dian_message: "Procesado Correctamente.",
        document_reason: null,
        prefix: "EPOS",
        number: 1024,
        cufe: "907e4444decc9e59c160a2fb3b6659b33dc5b632a5008922b9a62f83f757b1c448e47f5867f2b50dbdb96f48c7681168",
        subtotal: 5378,
        tax: 1022,
        total: 6400,
        issued_at: at,
        created_at: at,
        updated_at: at,
        version: 1,
        location_id: "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c51",
      },
    ],
  },
);
export type Invoice = Static<typeof Invoice>;

export const InvoiceQuery = listQuery({
  status: Type.Optional(oneOf(invoiceStatuses)),
  document_type: Type.Optional(oneOf(allDocumentTypes)),
  sale_id: Type.Optional(uuid({ description: "Documentos de esa venta." })),
  issued_since: bound("Con fecha propia desde este instante, inclusive."),
  issued_until: bound("Con fecha propia antes de este instante."),
  ...locationFilter,
});
export type InvoiceQuery = Static<typeof InvoiceQuery>;
