import type { Customer } from "../../business/customers/schema.ts";
import type { Sale, SaleItem } from "../../business/sales/schema.ts";
import { must } from "../../lib/must.ts";
import { FiscalError } from "../../taxes/fiscal-error.ts";
import { breakDown, type LineTax, type TaxTotal } from "../../taxes/tax.ts";
import { cude, cufe, type FiscalEnvironment, hashedAmounts } from "./document-hash.ts";
import { lineExtensions } from "./line-extensions.ts";

/** The provider's ids: invoice, credit note, POS document, adjustment note of a POS document. */
export type TypeDocumentId = 1 | 4 | 15 | 26;

/** A document without its number and seal: copied from the sale when it completed, never computed again. */
export interface DocumentContent {
  type_document_id: TypeDocumentId;
  /** The sale's customer. Documents from before this field have none. */
  customer_id?: string | null;
  customer: DocumentCustomer | null;
  payment_method: string;
  /** Where it was sold; null for a sale without a shift. */
  register?: DocumentRegister | null;
  lines: DocumentLine[];
  tax_breakdown: TaxTotal[];
  /** All bases plus all untaxed lines. */
  subtotal: number;
  tax: number;
  tip_amount: number;
  total: number;
  /** The document that a note annuls, in whole or in part. */
  annuls: AnnulledDocument | null;
}

export type DocumentCustomer = Pick<
  Customer,
  "name" | "last_name" | "email" | "phone" | "person_type" | "document_type" | "document_number"
>;

/** The cash register and the person of the sale's shift. */
export interface DocumentRegister {
  id: string | null;
  name: string;
  cashier: string | null;
}

export interface DocumentLine {
  description: string;
  code: string;
  quantity: number;
  /** The product's base unit: und, kg, … */
  unit?: string;
  /** With percentage taxes and before the sale's discount. */
  unit_price: number;
  /** What one unit of a line given away is worth, before taxes. */
  reference_price?: number;
  tax_class: string;
  /** The line's share of the sale's discount, percentage taxes included. */
  discount?: number;
  /** The line's value before taxes and after its share of the sale's discount. */
  extension: number;
  taxes: LineTax[];
}

/** Concepts of the authority's list for notes. */
export const noteConcepts = { partialReturn: 1, annulment: 2 } as const;
export type NoteConcept = (typeof noteConcepts)[keyof typeof noteConcepts];

export interface AnnulledDocument {
  /** Prefix and number together. */
  number: string;
  cufe: string;
  issued_at: string;
  type_document_id: number;
  /** Notes sealed before returns existed have neither: they annul a whole document. */
  concept?: NoteConcept;
  reason?: string;
}

/** A document with its number, time and seal, as the authority receives it. */
export interface SealedDocument extends DocumentContent {
  issuer_nit: string;
  prefix: string;
  number: number;
  resolution: string | null;
  issued_at: string;
  cufe: string;
}

/** What a document says beyond its sale. */
export interface SaleSurroundings {
  /** By product id. */
  products?: ReadonlyMap<string, SoldProduct>;
  register?: DocumentRegister | null;
}

export interface SoldProduct {
  unit: string;
  price: number;
}

/** The content of a sale's own document. Throws a FiscalError when the sale lacks what the authority requires. */
export function contentOfSale(
  sale: Sale,
  customer: Customer | undefined,
  { products, register = null }: SaleSurroundings = {},
): DocumentContent {
  const subtotal = sale.total - sale.tax - sale.tip_amount;
  const extensions = lineExtensions(sale.items, subtotal);
  return {
    type_document_id: sale.document_kind === "invoice" ? 1 : 15,
    customer_id: sale.customer_id,
    customer: customer ? documentCustomer(customer) : null,
    payment_method: sale.payment_method,
    register,
    lines: sale.items.map((item, i) =>
      documentLine(
        item,
        must(extensions[i], "There is one extension for each line"),
        products?.get(item.product_id ?? ""),
      ),
    ),
    tax_breakdown: breakdownOf(sale),
    subtotal,
    tax: sale.tax,
    tip_amount: sale.tip_amount,
    total: sale.total,
    annuls: null,
  };
}

/** A note has the content of its document, or of the part that it takes back, and a reference to the document. */
export function contentOfNote(annulled: DocumentContent, reference: AnnulledDocument): DocumentContent {
  return { ...annulled, type_document_id: annulled.type_document_id === 1 ? 4 : 26, annuls: reference };
}

export interface Seal {
  issuerNit: string;
  prefix: string;
  number: number;
  resolution: string | null;
  issuedAt: Date;
  environment: FiscalEnvironment;
  softwarePin: string | null;
  technicalKey: string | null;
}

/** Throws a FiscalError when the document cannot be sealed, before its number is used. */
export function sealDocument(content: DocumentContent, seal: Seal): SealedDocument {
  const hashed = {
    ...hashedAmounts(content),
    number: `${seal.prefix}${seal.number}`,
    issuedAt: seal.issuedAt,
    issuerNit: seal.issuerNit,
    customer: content.customer,
    environment: seal.environment,
  };
  return {
    ...content,
    issuer_nit: seal.issuerNit,
    prefix: seal.prefix,
    number: seal.number,
    resolution: seal.resolution,
    issued_at: seal.issuedAt.toISOString(),
    cufe: content.type_document_id === 1 ? cufe(hashed, seal.technicalKey ?? "") : cude(hashed, seal.softwarePin ?? ""),
  };
}

function documentLine(item: SaleItem, extension: number, product: SoldProduct | undefined): DocumentLine {
  const taxes = item.taxes ?? [];
  const taxed = taxes.reduce((total, { amount }) => total + amount, 0);
  return {
    description: item.description?.trim() || "Producto",
    code: item.product_id ?? item.id,
    quantity: item.quantity,
    unit: product?.unit ?? "und",
    unit_price: item.unit_price,
    ...(item.unit_price === 0 && { reference_price: referencePrice(taxes, product) }),
    tax_class: item.tax_class,
    discount: Math.max(0, item.subtotal - taxed - extension),
    extension,
    taxes,
  };
}

/** A bag given away is worth its tax. */
function referencePrice(taxes: readonly LineTax[], product: SoldProduct | undefined): number {
  return taxes.find(({ per_unit }) => per_unit !== null)?.per_unit ?? product?.price ?? 0;
}

function documentCustomer(customer: Customer): DocumentCustomer {
  const { name, last_name, email, phone, person_type, document_type, document_number } = customer;
  return { name, last_name, email, phone, person_type, document_type, document_number };
}

/** The seal includes each tax: a sale that gives only its total tax cannot be sealed. */
function breakdownOf(sale: Sale): TaxTotal[] {
  if (sale.tax_breakdown) return sale.tax_breakdown;
  if (sale.items.every((item) => item.taxes !== null))
    return breakDown(sale.items.map((item) => ({ taxes: item.taxes ?? [] })));
  if (sale.tax === 0) return [];
  throw new FiscalError("unreadable", "tax_breakdown", "la venta tiene impuestos y no dice cuáles");
}
