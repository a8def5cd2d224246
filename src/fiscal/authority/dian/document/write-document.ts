import { must } from "../../../../lib/must.ts";
import { bogotaDate, bogotaTime } from "../../../../taxes/bogota-time.ts";
import { type AnnulledDocument, noteConcepts, type SealedDocument } from "../../../content/document-content.ts";
import { paymentDue } from "../../payment-due.ts";
import { group, leaf, namespaceDeclarations, type Xml } from "../xml/write-xml.ts";
import { amountOf } from "./amounts.ts";
import { tip } from "./charges.ts";
import { authority, otherInstrument, paymentForms, paymentMeans } from "./codes.ts";
import { extensions } from "./extensions.ts";
import type { Issuance } from "./issuance.ts";
import { type DocumentKind, kindOf, kindOfDocument } from "./kinds.ts";
import { documentLine } from "./lines.ts";
import { customer, supplier } from "./parties.ts";
import { taxTotals } from "./taxes.ts";

const ubl = "urn:oasis:names:specification:ubl:schema:xsd";

/**
 * A document in UBL 2.1 with an empty place for its signature, in canonical form. The order of the elements is that of
 * the schemas; a wrong one is a rejection.
 */
export function writeDocument(
  document: SealedDocument,
  issuance: Issuance,
  kind: DocumentKind = kindOfDocument(document),
): Xml {
  const { root, total } = kindOf(kind);
  const issuedAt = new Date(document.issued_at);
  const means = paymentMeansOf(document, issuedAt);
  const content = [
    ...header(kind, document, issuance, issuedAt),
    ...(document.annuls ? references(kind, document.annuls) : []),
    supplier(document, issuance),
    customer(document),
    // Charges come before the means of payment in a debit note, after them in the others.
    ...(root === "DebitNote" ? [tip(document), means] : [means, tip(document)]),
    ...taxTotals(document.tax_breakdown),
    totals(`cac:${total}`, document),
    ...document.lines.map((line, i) => documentLine(kind, line, i)),
  ];
  const inner = group(root, ...content);
  return inner.replace(`<${root}>`, () => `<${root}${rootAttributes(root)}>`) as Xml;
}

function rootAttributes(root: string): string {
  const namespaces = namespaceDeclarations({
    "": `${ubl}:${root}-2`,
    cac: `${ubl}:CommonAggregateComponents-2`,
    cbc: `${ubl}:CommonBasicComponents-2`,
    ds: "http://www.w3.org/2000/09/xmldsig#",
    ext: `${ubl}:CommonExtensionComponents-2`,
    sts: "dian:gov:co:facturaelectronica:Structures-2-1",
    xades: "http://uri.etsi.org/01903/v1.3.2#",
    xades141: "http://uri.etsi.org/01903/v1.4.1#",
    xsi: "http://www.w3.org/2001/XMLSchema-instance",
  });
  const schema = `${ubl}:${root}-2 http://docs.oasis-open.org/ubl/os-UBL-2.1/xsd/maindoc/UBL-${root}-2.1.xsd`;
  return `${namespaces} xsi:schemaLocation="${schema}"`;
}

function header(kind: DocumentKind, document: SealedDocument, issuance: Issuance, issuedAt: Date): (Xml | false)[] {
  const { root, customizationId, profileId, typeCode, codeScheme } = kindOf(kind);
  const environment = issuance.environment === "production" ? "1" : "2";
  return [
    extensions(kind, document, issuance),
    leaf("cbc:UBLVersionID", "UBL 2.1"),
    leaf("cbc:CustomizationID", customizationId),
    leaf("cbc:ProfileID", profileId),
    leaf("cbc:ProfileExecutionID", environment),
    leaf("cbc:ID", `${document.prefix}${document.number}`),
    leaf("cbc:UUID", document.cufe, { ...authority.agency, schemeID: environment, schemeName: codeScheme }),
    leaf("cbc:IssueDate", bogotaDate(issuedAt)),
    leaf("cbc:IssueTime", bogotaTime(issuedAt)),
    root === "Invoice" && leaf("cbc:DueDate", paymentDue(document.payment_method, issuedAt).date),
    typeCode !== undefined && leaf(`cbc:${root}TypeCode`, typeCode),
    leaf("cbc:DocumentCurrencyCode", "COP"),
    leaf("cbc:LineCountNumeric", String(document.lines.length)),
  ];
}

function references(kind: DocumentKind, annulled: AnnulledDocument): Xml[] {
  const { isEquivalent } = kindOf(kind);
  return [
    group(
      "cac:DiscrepancyResponse",
      leaf("cbc:ReferenceID", annulled.number),
      leaf("cbc:ResponseCode", String(annulled.concept ?? noteConcepts.annulment)),
      leaf("cbc:Description", annulled.reason ?? "Anulación de la venta"),
    ),
    group(
      "cac:BillingReference",
      group(
        "cac:InvoiceDocumentReference",
        leaf("cbc:ID", annulled.number),
        leaf("cbc:UUID", annulled.cufe, { schemeName: isEquivalent ? "CUDE-SHA384" : "CUFE-SHA384" }),
        leaf("cbc:IssueDate", bogotaDate(new Date(annulled.issued_at))),
        // Asked for equivalent documents only.
        isEquivalent && leaf("cbc:DocumentTypeCode", must(kindOf("pos").typeCode, "POS documents have a type")),
      ),
    ),
  ];
}

function paymentMeansOf({ payment_method }: SealedDocument, issuedAt: Date): Xml {
  const { isCredit, date } = paymentDue(payment_method, issuedAt);
  const isListed = (code: string): code is keyof typeof paymentMeans => Object.hasOwn(paymentMeans, code);
  return group(
    "cac:PaymentMeans",
    leaf("cbc:ID", isCredit ? paymentForms.credit : paymentForms.cash),
    leaf("cbc:PaymentMeansCode", isListed(payment_method) ? paymentMeans[payment_method] : otherInstrument),
    leaf("cbc:PaymentDueDate", date),
  );
}

/** As the authority adds them up: the bases of the lines, the lines with the document's taxes, and those with the tip. */
function totals(name: string, document: SealedDocument): Xml {
  const taxed = document.lines.filter(({ taxes }) => taxes.some(({ rate }) => rate !== null));
  return group(
    name,
    amountOf("cbc:LineExtensionAmount", document.subtotal),
    amountOf(
      "cbc:TaxExclusiveAmount",
      taxed.reduce((all, { extension }) => all + extension, 0),
    ),
    amountOf("cbc:TaxInclusiveAmount", document.subtotal + document.tax),
    document.tip_amount > 0 && amountOf("cbc:ChargeTotalAmount", document.tip_amount),
    amountOf("cbc:PayableAmount", document.total),
  );
}
