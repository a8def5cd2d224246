import { nitCheckDigit, parseNit } from "../../../../taxes/nit.ts";
import type { DocumentCustomer, SealedDocument } from "../../../content/document-content.ts";
import { customerNumber, finalConsumer } from "../../../content/document-hash.ts";
import { isEmail, isNamed, nameOf } from "../../buyer.ts";
import { type Attributes, group, leaf, type Xml } from "../xml/write-xml.ts";
import { authority, identifications, noResponsibility, organizations } from "./codes.ts";
import type { Address, Issuance, Issuer } from "./issuance.ts";
import { taxScheme } from "./taxes.ts";

const vatTaxpayer = "48";
const noVatTaxpayer = "49";

export function supplier(document: SealedDocument, { issuer }: Issuance): Xml {
  const nit = issuerIdentification(document.issuer_nit);
  return group(
    "cac:AccountingSupplierParty",
    leaf("cbc:AdditionalAccountID", organizations[issuer.organization]),
    group(
      "cac:Party",
      leaf("cbc:IndustryClassificationCode", issuer.activity),
      group("cac:PartyName", leaf("cbc:Name", issuer.tradeName ?? issuer.name)),
      group("cac:PhysicalLocation", address("cac:Address", issuer.address)),
      supplierTaxes(issuer, nit),
      group(
        "cac:PartyLegalEntity",
        leaf("cbc:RegistrationName", issuer.name),
        leaf("cbc:CompanyID", nit.number, nit.attributes),
        // Another text than the document's prefix is a rejection.
        document.prefix !== "" && group("cac:CorporateRegistrationScheme", leaf("cbc:ID", document.prefix)),
      ),
      contact(issuer.phone, issuer.email),
    ),
  );
}

function supplierTaxes(issuer: Issuer, nit: Identification): Xml {
  const isVat = issuer.regime === "iva";
  return group(
    "cac:PartyTaxScheme",
    leaf("cbc:RegistrationName", issuer.name),
    leaf("cbc:CompanyID", nit.number, nit.attributes),
    leaf("cbc:TaxLevelCode", issuer.responsibilities.join(";") || noResponsibility, {
      listName: isVat ? vatTaxpayer : noVatTaxpayer,
    }),
    address("cac:RegistrationAddress", issuer.address),
    taxScheme({ iva: "01", inc: "04", none: "ZZ" }[issuer.regime]),
  );
}

export function customer(document: SealedDocument): Xml {
  const buyer = isNamed(document.customer) ? document.customer : undefined;
  const isCompany = buyer?.person_type === "company";
  const { number, attributes } = buyer ? buyerIdentification(buyer) : consumer;
  const name = buyer ? nameOf(buyer) : "consumidor final";
  return group(
    "cac:AccountingCustomerParty",
    leaf("cbc:AdditionalAccountID", isCompany ? organizations.company : organizations.person),
    group(
      "cac:Party",
      group("cac:PartyIdentification", leaf("cbc:ID", number, attributes)),
      group("cac:PartyName", leaf("cbc:Name", name)),
      group(
        "cac:PartyTaxScheme",
        leaf("cbc:RegistrationName", name),
        leaf("cbc:CompanyID", number, attributes),
        leaf("cbc:TaxLevelCode", noResponsibility, { listName: isCompany ? vatTaxpayer : noVatTaxpayer }),
        taxScheme(isCompany || isPosConsumer(document, buyer) ? "01" : "ZZ"),
      ),
      buyer &&
        group("cac:PartyLegalEntity", leaf("cbc:RegistrationName", name), leaf("cbc:CompanyID", number, attributes)),
      buyer && contact(phoneOf(buyer), isEmail(buyer.email) ? buyer.email : undefined),
      buyer && !isCompany && person(buyer),
    ),
  );
}

/** The authority's own POS examples give the final consumer IVA; invoices give "No aplica". */
function isPosConsumer({ type_document_id }: SealedDocument, buyer: DocumentCustomer | undefined): boolean {
  return buyer === undefined && (type_document_id === 15 || type_document_id === 26);
}

function person({ name, last_name }: DocumentCustomer): Xml {
  return group("cac:Person", leaf("cbc:FirstName", name), leaf("cbc:FamilyName", last_name || undefined));
}

function phoneOf({ phone }: DocumentCustomer): string | undefined {
  return phone && phone.length <= 20 ? phone : undefined;
}

function contact(phone: string | undefined, email: string | undefined): Xml | undefined {
  return phone === undefined && email === undefined
    ? undefined
    : group("cac:Contact", leaf("cbc:Telephone", phone), leaf("cbc:ElectronicMail", email));
}

function address(name: string, { municipality, city, department, postalZone, line }: Address): Xml {
  return group(
    name,
    leaf("cbc:ID", municipality),
    leaf("cbc:CityName", city),
    leaf("cbc:PostalZone", postalZone),
    leaf("cbc:CountrySubentity", department),
    leaf("cbc:CountrySubentityCode", municipality.slice(0, 2)),
    group("cac:AddressLine", leaf("cbc:Line", line)),
    group("cac:Country", leaf("cbc:IdentificationCode", "CO"), leaf("cbc:Name", "Colombia", { languageID: "es" })),
  );
}

export interface Identification {
  number: string;
  attributes: Attributes;
}

/** An empty check digit of the issuer is a rejection. */
export function issuerIdentification(nit: string): Identification {
  const reading = parseNit(nit);
  const number = reading.kind === "unreadable" ? nit : reading.number;
  return identification(number, "NIT");
}

const consumer = identification(finalConsumer, "CC");

function buyerIdentification(buyer: DocumentCustomer): Identification {
  return identification(customerNumber(buyer), buyer.document_type);
}

function identification(number: string, type: string): Identification {
  const hasCheckDigit = type === "NIT" && /^\d{1,15}$/.test(number);
  const checkDigit = hasCheckDigit ? String(nitCheckDigit(number)) : "";
  return {
    number,
    attributes: { ...authority.agency, schemeID: checkDigit, schemeName: identifications[type] ?? identifications.CC },
  };
}
