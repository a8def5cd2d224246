import type { Customer } from "../../business/customers/schema.ts";
import type { Invoice } from "../../business/invoices/schema.ts";
import type { Sale } from "../../business/sales/schema.ts";
import { cude, cufe, hashedAmounts } from "../../fiscal/content/document-hash.ts";
import { uuidv7 } from "../../lib/ids.ts";
import type { TaxTotal } from "../../taxes/tax.ts";
import { demoIssuer, demoPrefixes, type Numbering } from "./issuer.ts";

const { issuerNit, softwarePin, technicalKey } = demoIssuer;

const kinds = {
  pos: { document_type: "pos_document", type_document_id: 15 },
  invoice: { document_type: "electronic_invoice", type_document_id: 1 },
  posNote: { document_type: "pos_adjustment_note", type_document_id: 26 },
  invoiceNote: { document_type: "other", type_document_id: 4 },
} as const;

export interface DemoDocument {
  kind: keyof typeof kinds;
  saleId: string;
  customer: Customer | undefined;
  amounts: Pick<Sale, "tax" | "tip_amount" | "total"> & { tax_breakdown: TaxTotal[] | null };
  reason?: string;
  issuedAt: Date;
  arrivedAt: string;
}

/** A document that the authority accepted, with the next number of its kind. */
export function issuedDocument(document: DemoDocument, numbering: Numbering): Invoice {
  const { kind, saleId, customer, amounts, reason = null, issuedAt, arrivedAt } = document;
  const { tax, tip_amount, total, tax_breakdown } = amounts;
  const range = kind === "pos" || kind === "invoice" ? kind : "note";
  const prefix = demoPrefixes[range];
  const number = numbering[range]++;
  const hashed = {
    ...hashedAmounts({ tax, tip_amount, total, tax_breakdown: tax_breakdown ?? [] }),
    number: `${prefix}${number}`,
    issuedAt,
    issuerNit,
    customer: customer ?? null,
    environment: "test",
  } as const;
  return {
    object: "invoice",
    id: uuidv7(issuedAt),
    sale_id: saleId,
    ...kinds[kind],
    status: "issued",
    dian_status: "00",
    dian_message: "Procesado Correctamente.",
    document_reason: reason,
    prefix,
    number,
    cufe: kind === "invoice" ? cufe(hashed, technicalKey) : cude(hashed, softwarePin),
    subtotal: total - tax - tip_amount,
    tax,
    total,
    issued_at: issuedAt.toISOString(),
    created_at: arrivedAt,
    updated_at: arrivedAt,
  };
}
