import { bogotaDate, bogotaTime } from "../../../taxes/bogota-time.ts";
import { nitCheckDigit } from "../../../taxes/nit.ts";
import type { LineTax, TaxTotal } from "../../../taxes/tax.ts";
import {
  type DocumentCustomer,
  type DocumentLine,
  noteConcepts,
  type SealedDocument,
} from "../../content/document-content.ts";
import { customerNumber, finalConsumer } from "../../content/document-hash.ts";
import type { IssuerSettings } from "../../profile/profile.ts";
import type { Submission } from "../authority.ts";

/** APIDIAN's own ids, not the authority's codes. */
const taxIds: Record<string, number> = { "01": 1, "03": 3, "04": 4, "22": 10 };
const identificationIds: Record<string, number> = { CC: 3, TI: 2, NIT: 6, CE: 5, PASAPORTE: 7 };
const paymentMethodIds: Record<string, number> = {
  CASH: 10,
  CHEQUE: 20,
  TRANSFER: 47,
  NEQUI: 47,
  DAVIPLATA: 47,
  BRE_B: 47,
  CARD: 48,
  CREDIT_CARD: 48,
  DEBIT_CARD: 49,
  BONO: 71,
};
const units = 70;
const ownItemCode = 4;
const tipDiscountType = 4;

export function sendPath({ document, settings }: Submission): string {
  const path = { 1: "/invoice", 15: "/eqdoc", 4: "/credit-note", 26: "/credit-note" }[document.type_document_id];
  return settings.test_set_id ? `${path}/${encodeURIComponent(settings.test_set_id)}` : path;
}

/** A document in the provider's format. Amounts are text with two decimals, as in its own examples. */
export function requestBody({ document, settings }: Submission): object {
  const issuedAt = new Date(document.issued_at);
  const isNote = document.annuls !== null;
  const isEquivalent = document.type_document_id === 15 || document.type_document_id === 26;
  return {
    number: document.number,
    prefix: document.prefix,
    type_document_id: document.type_document_id,
    date: bogotaDate(issuedAt),
    time: bogotaTime(issuedAt).slice(0, 8),
    ...(document.resolution !== null && { resolution_number: document.resolution }),
    sendmail: false,
    ...(settings.postal_zone_code && { postal_zone_code: settings.postal_zone_code }),
    customer: customer(document.customer, settings),
    payment_form: paymentForm(document.payment_method, bogotaDate(issuedAt)),
    legal_monetary_totals: totals(document),
    ...(document.tip_amount > 0 && { allowance_charges: [tip(document)] }),
    tax_totals: document.tax_breakdown.map(taxTotal),
    [isNote ? "credit_note_lines" : "invoice_lines"]: document.lines.map(line),
    ...(document.type_document_id === 15 && posOnly(document, settings)),
    ...(isNote && note(document, isEquivalent)),
  };
}

function pesos(amount: number): string {
  return `${amount}.00`;
}

function customer(buyer: DocumentCustomer | null, settings: IssuerSettings): object {
  const number = customerNumber(buyer);
  const isNamed = buyer !== null && number !== finalConsumer;
  const isNit = isNamed && buyer.document_type === "NIT";
  return {
    identification_number: number,
    ...(isNit && /^\d{1,15}$/.test(number) && { dv: String(nitCheckDigit(number)) }),
    name: isNamed ? [buyer.name, buyer.last_name].filter(Boolean).join(" ") : "consumidor final",
    ...(isNamed && buyer.phone && { phone: buyer.phone }),
    ...(isNamed && buyer.email && { email: buyer.email }),
    merchant_registration: "0000000-00",
    type_document_identification_id: isNamed ? (identificationIds[buyer.document_type] ?? 3) : 3,
    type_organization_id: isNamed && buyer.person_type === "company" ? 1 : 2,
    ...(settings.municipality_id && { municipality_id: settings.municipality_id }),
  };
}

/** FIADO, a sale on account, is the only form of credit in a register. */
function paymentForm(method: string, date: string): object {
  return {
    payment_form_id: method === "FIADO" ? 2 : 1,
    payment_method_id: paymentMethodIds[method] ?? 10,
    payment_due_date: date,
    duration_measure: "0",
  };
}

function totals(document: SealedDocument): object {
  return {
    line_extension_amount: pesos(document.subtotal),
    tax_exclusive_amount: pesos(taxedBase(document)),
    tax_inclusive_amount: pesos(document.subtotal + document.tax),
    ...(document.tip_amount > 0 && { charge_total_amount: pesos(document.tip_amount) }),
    payable_amount: pesos(document.total),
  };
}

function taxedBase({ lines }: SealedDocument): number {
  const taxed = lines.filter(({ taxes }) => taxes.some((tax) => tax.rate !== null));
  return taxed.reduce((total, { extension }) => total + extension, 0);
}

/** Part of the total, but of no tax base. */
function tip({ tip_amount, subtotal }: SealedDocument): object {
  return {
    discount_id: tipDiscountType,
    charge_indicator: true,
    allowance_charge_reason: "Propina",
    amount: pesos(tip_amount),
    base_amount: pesos(subtotal),
  };
}

function taxTotal({ code, rate, per_unit, base, amount }: TaxTotal | LineTax): object {
  const id = { tax_id: taxIds[code] ?? Number(code), tax_amount: pesos(amount) };
  if (per_unit === null) return { ...id, percent: String(rate), taxable_amount: pesos(base) };
  // Per bag: the annex asks for units, the authority has been seen to expect pesos, the provider's sample sends zero.
  return {
    ...id,
    percent: "0.00",
    taxable_amount: "0.00",
    unit_measure_id: units,
    per_unit_amount: pesos(per_unit),
    base_unit_measure: String(base),
  };
}

function line({ description, code, quantity, extension, taxes, unit_price }: DocumentLine): object {
  return {
    unit_measure_id: units,
    invoiced_quantity: String(quantity),
    line_extension_amount: pesos(extension),
    free_of_charge_indicator: unit_price === 0,
    ...(unit_price === 0 && { reference_price_id: 1 }),
    tax_totals: taxes.map(taxTotal),
    description,
    code,
    type_item_identification_id: ownItemCode,
    price_amount: pesos(extension),
    base_quantity: String(quantity),
  };
}

function posOnly(document: SealedDocument, settings: IssuerSettings): object {
  return {
    software_manufacturer: settings.software_manufacturer ?? {
      name: "Mostrador",
      business_name: "Mostrador",
      software_name: "Mostrador",
    },
    buyer_benefits: {
      code: customerNumber(document.customer),
      name: document.customer?.name ?? "consumidor final",
      points: "0",
    },
    cash_information: {
      plate_number: "1",
      location: "Principal",
      cashier: "Caja",
      cash_type: settings.cash_type ?? "Caja de apoyo",
      sales_code: `${document.prefix}${document.number}`,
      subtotal: pesos(document.subtotal),
    },
  };
}

function note(document: SealedDocument, isEquivalent: boolean): object {
  const { number, cufe, issued_at, type_document_id, concept, reason } = document.annuls!;
  return {
    billing_reference: { number, uuid: cufe, issue_date: bogotaDate(new Date(issued_at)), type_document_id },
    discrepancyresponsecode: concept ?? noteConcepts.annulment,
    discrepancyresponsedescription: reason ?? "Anulación de la venta",
    ...(isEquivalent && { is_eqdoc: true, type_operation_id: 12 }),
  };
}
