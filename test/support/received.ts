import { zipOf } from "../../src/lib/zip.ts";

/** An invoice as a supplier's program writes it, by hand after UBL 2.1: only what a purchase is made of. */
export interface MadeInvoice {
  number?: string;
  cufe?: string;
  nit?: string;
  name?: string;
  currency?: string;
  lines?: readonly string[];
  /** Of the whole: allowances and charges. */
  beside?: string;
  payable?: string;
}

export const cufe = "a".repeat(96);

export function lineXml(fields: {
  quantity?: string;
  unit?: string;
  net?: string;
  price?: string;
  code?: string;
  barcode?: string;
  description?: string;
  discount?: string;
  taxes?: readonly [code: string, rate: string, amount: string][];
}): string {
  const {
    quantity = "10.000000",
    unit = "94",
    net = "480000.00",
    price = "48000.00",
    description = "Gaseosa x24",
  } = fields;
  const { code, barcode, discount, taxes = [] } = fields;
  const allowance = discount
    ? `<cac:AllowanceCharge><cbc:ID>1</cbc:ID><cbc:ChargeIndicator>false</cbc:ChargeIndicator><cbc:Amount currencyID="COP">${discount}</cbc:Amount></cac:AllowanceCharge>`
    : "";
  const totals = taxes.map(
    ([tax, rate, amount]) =>
      `<cac:TaxTotal><cbc:TaxAmount currencyID="COP">${amount}</cbc:TaxAmount><cac:TaxSubtotal><cbc:TaxableAmount currencyID="COP">${net}</cbc:TaxableAmount><cbc:TaxAmount currencyID="COP">${amount}</cbc:TaxAmount><cac:TaxCategory><cbc:Percent>${rate}</cbc:Percent><cac:TaxScheme><cbc:ID>${tax}</cbc:ID></cac:TaxScheme></cac:TaxCategory></cac:TaxSubtotal></cac:TaxTotal>`,
  );
  const id = (kind: string, value: string | undefined) =>
    value ? `<cac:${kind}><cbc:ID schemeID="999">${value}</cbc:ID></cac:${kind}>` : "";
  return `<cac:InvoiceLine><cbc:ID>1</cbc:ID><cbc:InvoicedQuantity unitCode="${unit}">${quantity}</cbc:InvoicedQuantity><cbc:LineExtensionAmount currencyID="COP">${net}</cbc:LineExtensionAmount>${allowance}${totals.join("")}<cac:Item><cbc:Description>${description}</cbc:Description>${id("SellersItemIdentification", code)}${id("StandardItemIdentification", barcode)}</cac:Item><cac:Price><cbc:PriceAmount currencyID="COP">${price}</cbc:PriceAmount><cbc:BaseQuantity unitCode="${unit}">1.000000</cbc:BaseQuantity></cac:Price></cac:InvoiceLine>`;
}

export function invoiceXml({
  number = "FV1029",
  cufe: code = cufe,
  nit = "900373923",
  name = "Distribuidora La Sabana S.A.S.",
  currency = "COP",
  lines = [lineXml({ code: "G-24", taxes: [["01", "19.00", "91200.00"]] })],
  beside = "",
  payable = "571200.00",
}: MadeInvoice = {}): string {
  return `<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2" xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2" xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">
<cbc:UBLVersionID>UBL 2.1</cbc:UBLVersionID><cbc:ID>${number}</cbc:ID><cbc:UUID schemeName="CUFE-SHA384">${code}</cbc:UUID><cbc:IssueDate>2026-09-28</cbc:IssueDate><cbc:DocumentCurrencyCode>${currency}</cbc:DocumentCurrencyCode>
<cac:AccountingSupplierParty><cac:Party><cac:PartyTaxScheme><cbc:RegistrationName>${name}</cbc:RegistrationName><cbc:CompanyID schemeID="8" schemeName="31">${nit}</cbc:CompanyID></cac:PartyTaxScheme><cac:Contact><cbc:Telephone>6015550134</cbc:Telephone><cbc:ElectronicMail>facturas@lasabana.example</cbc:ElectronicMail></cac:Contact></cac:Party></cac:AccountingSupplierParty>
<cac:PaymentMeans><cbc:ID>2</cbc:ID><cbc:PaymentDueDate>2026-10-13</cbc:PaymentDueDate></cac:PaymentMeans>
${beside}
<cac:LegalMonetaryTotal><cbc:PayableAmount currencyID="${currency}">${payable}</cbc:PayableAmount></cac:LegalMonetaryTotal>
${lines.join("\n")}
</Invoice>`;
}

/** As it comes by mail: the invoice as text within another document. */
export const attached = (xml: string): string =>
  `<?xml version="1.0" encoding="utf-8"?><AttachedDocument xmlns="urn:oasis:names:specification:ubl:schema:xsd:AttachedDocument-2" xmlns:cac="urn:cac" xmlns:cbc="urn:cbc"><cbc:ID>1</cbc:ID><cac:Attachment><cac:ExternalReference><cbc:MimeCode>text/xml</cbc:MimeCode><cbc:Description><![CDATA[${xml.replaceAll("]]>", "]]]]><![CDATA[>")}]]></cbc:Description></cac:ExternalReference></cac:Attachment><cac:ParentDocumentLineReference><cac:DocumentReference><cac:Attachment><cac:ExternalReference><cbc:Description><![CDATA[<ApplicationResponse/>]]></cbc:Description></cac:ExternalReference></cac:Attachment></cac:DocumentReference></cac:ParentDocumentLineReference></AttachedDocument>`;

export async function zipped(files: Record<string, string>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of zipOf(Object.entries(files).map(([name, text]) => ({ name, parts: [text] }))))
    parts.push(part);
  return Buffer.concat(parts);
}
