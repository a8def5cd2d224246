import { must } from "../../../lib/must.ts";
import { bogotaDate, bogotaTime } from "../../../taxes/bogota-time.ts";
import { meansOf } from "../../../taxes/means.ts";
import { nitCheckDigit } from "../../../taxes/nit.ts";
import { type DocumentCustomer, noteConcepts, type SealedDocument } from "../../content/document-content.ts";
import { customerNumber } from "../../content/document-hash.ts";
import type { IssuerSettings } from "../../profile/profile.ts";
import { pesos } from "../amounts.ts";
import type { Submission } from "../authority.ts";
import { isEmail, isNamed, nameOf } from "../buyer.ts";
import { paymentDue } from "../payment-due.ts";
import { identificationIds, noLiability, organizations, paymentForms, referringNote, regimes } from "./ids.ts";
import { line, taxTotal, tip } from "./request-lines.ts";

export function sendPath({ document, settings }: Pick<Submission, "document" | "settings">): string {
  const path = { 1: "/invoice", 15: "/eqdoc", 4: "/credit-note", 26: "/credit-note" }[document.type_document_id];
  return settings.test_set_id ? `${path}/${encodeURIComponent(settings.test_set_id)}` : path;
}

/** A document in the provider's format. Amounts are text with two decimals, as in its own examples. */
export function requestBody({ document, settings }: Pick<Submission, "document" | "settings">): object {
  const issuedAt = new Date(document.issued_at);
  const isNote = document.annuls !== null;
  return {
    number: document.number,
    prefix: document.prefix,
    type_document_id: document.type_document_id,
    date: bogotaDate(issuedAt),
    time: bogotaTime(issuedAt).slice(0, 8),
    ...(document.resolution !== null && { resolution_number: document.resolution }),
    // The buyer gets the document from here, with the business's own paper.
    sendmail: false,
    ...(settings.postal_zone_code && { postal_zone_code: settings.postal_zone_code }),
    customer: customer(document.customer, settings),
    payment_form: paymentForm(document.payment_method, issuedAt),
    legal_monetary_totals: totals(document),
    ...(document.tip_amount > 0 && { allowance_charges: [tip(document)] }),
    tax_totals: document.tax_breakdown.map((tax) => taxTotal(tax, "document")),
    [isNote ? "credit_note_lines" : "invoice_lines"]: document.lines.map(line),
    ...(document.type_document_id === 15 && posOnly(document, settings)),
    ...(isNote && note(document)),
  };
}

function customer(buyer: DocumentCustomer | null, settings: IssuerSettings): object {
  const number = customerNumber(buyer);
  const named = isNamed(buyer) ? buyer : undefined;
  const isNit = named?.document_type === "NIT";
  const isCompany = named?.person_type === "company";
  return {
    identification_number: number,
    ...(isNit && /^\d{1,15}$/.test(number) && { dv: String(nitCheckDigit(number)) }),
    name: named ? nameOf(named) : "consumidor final",
    ...(named?.phone && named.phone.length <= 20 && { phone: named.phone }),
    ...(named && isEmail(named.email) && { email: named.email }),
    merchant_registration: "0000000-00",
    type_document_identification_id: named ? identificationIds[named.document_type] : identificationIds.CC,
    type_organization_id: isCompany ? organizations.company : organizations.person,
    type_liability_id: noLiability,
    type_regime_id: isCompany ? regimes.iva : regimes.none,
    ...(settings.municipality_id && { municipality_id: settings.municipality_id }),
  };
}

function paymentForm(method: string, issuedAt: Date): object {
  const { isCredit, days, date } = paymentDue(method, issuedAt);
  return {
    payment_form_id: isCredit ? paymentForms.credit : paymentForms.cash,
    payment_method_id: meansOf(method).providerId,
    payment_due_date: date,
    duration_measure: String(days),
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

function posOnly(document: SealedDocument, settings: IssuerSettings): object {
  const { register } = document;
  return {
    software_manufacturer: settings.software_manufacturer ?? {
      name: "Mostrador",
      business_name: "Mostrador",
      software_name: "Mostrador",
    },
    buyer_benefits: {
      code: customerNumber(document.customer),
      name: document.customer ? nameOf(document.customer) : "consumidor final",
      points: "0",
    },
    cash_information: {
      plate_number: register?.name ?? "Caja",
      location: settings.cash_location ?? "Principal",
      cashier: register?.cashier ?? "Caja",
      cash_type: settings.cash_type ?? "Caja principal",
      sales_code: `${document.prefix}${document.number}`,
      subtotal: pesos(document.subtotal),
    },
  };
}

function note(document: SealedDocument): object {
  const { number, cufe, issued_at, type_document_id, concept, reason } = must(
    document.annuls,
    "A note of this kind says what it annuls",
  );
  const isOfPos = document.type_document_id === 26;
  const reference = { number, uuid: cufe, issue_date: bogotaDate(new Date(issued_at)) };
  return {
    // The kind of the corrected document is asked for equivalent documents only, and refused for others.
    billing_reference: isOfPos ? { ...reference, type_document_id } : reference,
    discrepancyresponsecode: concept ?? noteConcepts.annulment,
    discrepancyresponsedescription: reason ?? "Anulación de la venta",
    type_operation_id: referringNote,
    ...(isOfPos && { is_eqdoc: true }),
  };
}
