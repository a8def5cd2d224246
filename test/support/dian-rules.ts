import { createHash } from "node:crypto";
import { signatureProblems } from "./verify-signature.ts";
import { at, attribute, childrenOf, elementsIn, readXml, textOf, type XmlElement } from "./xml-tree.ts";

/** Secrets that the authority has of a business's software and ranges. */
export interface Registered {
  softwareId: string;
  pin: string;
  technicalKey: string;
}

/** As the schemas order the children of each root and of a line; what is not here must not be there. */
export const schemaOrders: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries({
    Invoice:
      "UBLExtensions UBLVersionID CustomizationID ProfileID ProfileExecutionID ID UUID IssueDate IssueTime DueDate InvoiceTypeCode DocumentCurrencyCode LineCountNumeric AccountingSupplierParty AccountingCustomerParty PaymentMeans AllowanceCharge TaxTotal LegalMonetaryTotal InvoiceLine",
    CreditNote:
      "UBLExtensions UBLVersionID CustomizationID ProfileID ProfileExecutionID ID UUID IssueDate IssueTime CreditNoteTypeCode DocumentCurrencyCode LineCountNumeric DiscrepancyResponse BillingReference AccountingSupplierParty AccountingCustomerParty PaymentMeans AllowanceCharge TaxTotal LegalMonetaryTotal CreditNoteLine",
    DebitNote:
      "UBLExtensions UBLVersionID CustomizationID ProfileID ProfileExecutionID ID UUID IssueDate IssueTime DocumentCurrencyCode LineCountNumeric DiscrepancyResponse BillingReference AccountingSupplierParty AccountingCustomerParty AllowanceCharge PaymentMeans TaxTotal RequestedMonetaryTotal DebitNoteLine",
    InvoiceLine:
      "ID InvoicedQuantity LineExtensionAmount FreeOfChargeIndicator PricingReference AllowanceCharge TaxTotal Item Price",
    CreditNoteLine:
      "ID CreditedQuantity LineExtensionAmount FreeOfChargeIndicator PricingReference TaxTotal AllowanceCharge Item Price",
    DebitNoteLine: "ID DebitedQuantity LineExtensionAmount PricingReference TaxTotal AllowanceCharge Item Price",
  }).map(([name, order]) => [name, order.split(" ")]),
);

/** What the authority's rules say of a file, in its own words; computed from the file alone. */
export function rulesBrokenBy(file: string, registered: Registered): string[] {
  const signature = signatureProblems(file);
  if (signature.length > 0) return [`Regla: ZE02, Rechazo: Valor de la firma inválido (${signature.join(", ")})`];
  const root = readXml(file);
  if (!isInOrder(root)) return ["Regla: ZB01, Rechazo: Fallo en el esquema XML del archivo"];
  const broken: string[] = [];
  const check = (isMet: boolean, rule: string, text: string) =>
    void (isMet || broken.push(`Regla: ${rule}, Rechazo: ${text}`));
  const seal = sealOf(root, registered);
  check(at(root, "UUID") === seal, "FAD06", "Valor del CUFE no está calculado correctamente");
  const dian = elementsIn(root).find(({ local }) => local === "DianExtensions")!;
  const code = sha384(registered.softwareId + registered.pin + at(root, "ID"));
  check(at(dian, "SoftwareSecurityCode") === code, "FAB27b", "Huella del software no corresponde");
  check(at(dian, "QRCode")!.endsWith(`documentkey=${seal}`), "FAB36", "QR no corresponde");
  const supplier = elementsIn(root).find(({ local }) => local === "AccountingSupplierParty")!;
  const company = elementsIn(supplier).find(({ local }) => local === "CompanyID")!;
  check(attribute(company, "schemeID") !== "", "FAB22b", "DV del NIT no informado");
  const prefix = at(root, "ID")!.replace(/\d+$/, "");
  const scheme = elementsIn(supplier).find(({ local }) => local === "CorporateRegistrationScheme");
  check((scheme && at(scheme, "ID")) === (prefix || undefined), "FAB10a", "Prefijo no corresponde");
  const extensions = childrenOf(childrenOf(root, "UBLExtensions")[0]!).length;
  check(extensions === (at(root, "InvoiceTypeCode") === "20" ? 5 : 2), "DEPD11", "Extensiones no corresponden");
  broken.push(...arithmeticOf(root));
  return broken;
}

export function isInOrder(root: XmlElement): boolean {
  return elementsIn(root).every((element) => {
    const order = schemaOrders[element.local];
    if (!order) return true;
    const places = childrenOf(element).map(({ local }) => order.indexOf(local));
    return places.every((place, i) => place !== -1 && place >= (places[i - 1] ?? 0));
  });
}

/** CUFE or CUDE of what the file says. */
function sealOf(root: XmlElement, { pin, technicalKey }: Registered): string {
  const taxOf = (code: string) =>
    childrenOf(root, "TaxTotal")
      .filter((one) => at(one, "TaxSubtotal/TaxCategory/TaxScheme/ID") === code)
      .reduce((all, one) => all + Number(at(one, "TaxAmount")), 0)
      .toFixed(2);
  const totals = totalsOf(root);
  const party = (name: string) =>
    textOf(elementsIn(childrenOf(root, name)[0]!).find(({ local }) => local === "CompanyID")!);
  const isCufe = attribute(childrenOf(root, "UUID")[0]!, "schemeName") === "CUFE-SHA384";
  return sha384(
    [
      ...[at(root, "ID"), at(root, "IssueDate"), at(root, "IssueTime"), at(totals, "LineExtensionAmount")],
      ...["01", taxOf("01"), "04", taxOf("04"), "03", taxOf("03"), at(totals, "PayableAmount")],
      ...[party("AccountingSupplierParty"), party("AccountingCustomerParty")],
      ...[isCufe ? technicalKey : pin, at(root, "ProfileExecutionID")],
    ].join(""),
  );
}

function arithmeticOf(root: XmlElement): string[] {
  const totals = totalsOf(root);
  const lines = childrenOf(root).filter(({ local }) => local.endsWith("Line"));
  const sum = (values: readonly number[]) => values.reduce((all, one) => all + one, 0);
  const amount = (of: XmlElement, path: string) => Number(at(of, path) ?? "0");
  const base = (line: XmlElement) =>
    Math.max(
      0,
      ...childrenOf(line, "TaxTotal")
        .flatMap((tax) => childrenOf(tax, "TaxSubtotal"))
        .map((tax) => amount(tax, "TaxableAmount")),
    );
  const taxes = sum(childrenOf(root, "TaxTotal").map((tax) => amount(tax, "TaxAmount")));
  const charges = sum(childrenOf(root, "AllowanceCharge").map((one) => amount(one, "Amount")));
  const rules: [string, number, number][] = [
    ["FAU02", sum(lines.map((line) => amount(line, "LineExtensionAmount"))), amount(totals, "LineExtensionAmount")],
    ["FAU04", sum(lines.map(base)), amount(totals, "TaxExclusiveAmount")],
    ["FAU06", amount(totals, "LineExtensionAmount") + taxes, amount(totals, "TaxInclusiveAmount")],
    ["FAU14", amount(totals, "TaxInclusiveAmount") + charges, amount(totals, "PayableAmount")],
  ];
  return rules
    .filter(([, expected, written]) => Math.abs(expected - written) > 2)
    .map(([rule]) => `Regla: ${rule}, Rechazo: Los valores no suman`);
}

function totalsOf(root: XmlElement): XmlElement {
  return childrenOf(root).find(({ local }) => local.endsWith("MonetaryTotal"))!;
}

function sha384(text: string): string {
  return createHash("sha384").update(text, "utf8").digest("hex");
}
