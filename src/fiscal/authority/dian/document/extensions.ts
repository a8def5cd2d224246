import type { SealedDocument } from "../../../content/document-content.ts";
import { customerNumber, qrUrl, softwareSecurityCode } from "../../../content/document-hash.ts";
import { pesos } from "../../amounts.ts";
import { nameOf } from "../../buyer.ts";
import { group, leaf, type Xml } from "../xml/write-xml.ts";
import { authority } from "./codes.ts";
import type { Authorization, Issuance } from "./issuance.ts";
import { type DocumentKind, kindOf } from "./kinds.ts";
import { issuerIdentification } from "./parties.ts";

/** Where the signature will stand: the last extension, empty. Text is escaped, so nothing else can look like it. */
export const signaturePlace = "<ext:ExtensionContent></ext:ExtensionContent>" as Xml;

export function extensions(kind: DocumentKind, document: SealedDocument, issuance: Issuance): Xml {
  return group(
    "ext:UBLExtensions",
    extension(dianExtensions(kind, document, issuance)),
    ...(kind === "pos" ? posExtensions(document, issuance).map(extension) : []),
    group("ext:UBLExtension", signaturePlace),
  );
}

function extension(content: Xml): Xml {
  return group("ext:UBLExtension", group("ext:ExtensionContent", content));
}

function dianExtensions(kind: DocumentKind, document: SealedDocument, issuance: Issuance): Xml {
  const { authorization, software, environment } = issuance;
  const { isNumberedByResolution } = kindOf(kind);
  const nit = issuerIdentification(document.issuer_nit);
  const number = `${document.prefix}${document.number}`;
  return group(
    "sts:DianExtensions",
    isNumberedByResolution && authorization !== null && invoiceControl(authorization),
    group(
      "sts:InvoiceSource",
      leaf("cbc:IdentificationCode", "CO", {
        listAgencyID: "6",
        listAgencyName: "United Nations Economic Commission for Europe",
        listSchemeURI: "urn:oasis:names:specification:ubl:codelist:gc:CountryIdentificationCode-2.1",
      }),
    ),
    group(
      "sts:SoftwareProvider",
      leaf("sts:ProviderID", nit.number, nit.attributes),
      leaf("sts:SoftwareID", software.id, authority.agency),
    ),
    leaf("sts:SoftwareSecurityCode", softwareSecurityCode(software.id, software.pin, number), authority.agency),
    group(
      "sts:AuthorizationProvider",
      leaf("sts:AuthorizationProviderID", authority.nit, {
        ...authority.agency,
        schemeID: authority.checkDigit,
        schemeName: "31",
      }),
    ),
    leaf("sts:QRCode", qrUrl(document.cufe, environment)),
  );
}

function invoiceControl({ resolution, prefix, first, last, validFrom, validUntil }: Authorization): Xml {
  return group(
    "sts:InvoiceControl",
    leaf("sts:InvoiceAuthorization", resolution),
    group("sts:AuthorizationPeriod", leaf("cbc:StartDate", validFrom), leaf("cbc:EndDate", validUntil)),
    group(
      "sts:AuthorizedInvoices",
      leaf("sts:Prefix", prefix || undefined),
      leaf("sts:From", String(first)),
      leaf("sts:To", String(last)),
    ),
  );
}

/** Without a prefix: the annex puts them into the namespace of the document. Each name is checked literally, accents included. */
function posExtensions(document: SealedDocument, { software, cash }: Issuance): Xml[] {
  const { maker } = software;
  const { register } = document;
  return [
    named("FabricanteSoftware", "InformacionDelFabricanteDelSoftware", {
      NombreApellido: maker.name,
      RazonSocial: maker.business_name,
      NombreSoftware: maker.software_name,
    }),
    named("BeneficiosComprador", "InformacionBeneficiosComprador", {
      Codigo: customerNumber(document.customer),
      NombresApellidos: document.customer ? nameOf(document.customer) : "consumidor final",
      Puntos: "0",
    }),
    named("PuntoVenta", "InformacionCajaVenta", {
      PlacaCaja: register?.name ?? "Caja",
      UbicaciónCaja: cash.location,
      Cajero: register?.cashier ?? "Caja",
      TipoCaja: cash.type,
      CódigoVenta: `${document.prefix}${document.number}`,
      SubTotal: pesos(document.subtotal),
    }),
  ];
}

function named(outer: string, inner: string, values: Readonly<Record<string, string>>): Xml {
  const pairs = Object.entries(values).flatMap(([name, value]) => [leaf("Name", name), leaf("Value", value)]);
  return group(outer, group(inner, ...pairs));
}
