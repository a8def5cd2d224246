import { bogotaDate, bogotaTime } from "../../../../taxes/bogota-time.ts";
import type { SealedDocument } from "../../../content/document-content.ts";
import { customerNumber, type FiscalEnvironment, hashedAmounts, qrUrl } from "../../../content/document-hash.ts";
import { pesos } from "../../amounts.ts";
import { issuerIdentification } from "./parties.ts";

/** The text that the QR of the printed document holds. In the XML it is the address alone. */
export function qrText(document: SealedDocument, environment: FiscalEnvironment): string {
  const issuedAt = new Date(document.issued_at);
  const { lineExtension, iva, payable } = hashedAmounts(document);
  const otherTaxes = document.tax - Number(iva);
  return [
    `NumFac: ${document.prefix}${document.number}`,
    `FecFac: ${bogotaDate(issuedAt)}`,
    `HorFac: ${bogotaTime(issuedAt)}`,
    `NitFac: ${issuerIdentification(document.issuer_nit).number}`,
    `DocAdq: ${customerNumber(document.customer)}`,
    `ValFac: ${pesos(Number(lineExtension))}`,
    `ValIva: ${pesos(Number(iva))}`,
    `ValOtroIm: ${pesos(otherTaxes)}`,
    `ValTolFac: ${pesos(Number(payable))}`,
    `${document.type_document_id === 1 ? "CUFE" : "CUDE"}: ${document.cufe}`,
    `QRCode: ${qrUrl(document.cufe, environment)}`,
  ].join("\n");
}
