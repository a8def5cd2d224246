import type { Config } from "../../config.ts";
import { parseNit } from "../../taxes/nit.ts";
import type { DocumentContent, SealedDocument } from "../content/document-content.ts";
import type { IssuerSettings } from "../profile/profile.ts";
import { checkAmounts } from "./apidian/check-amounts.ts";
import { checkFields } from "./apidian/check-fields.ts";
import { perUnitTaxCodes, taxIds } from "./apidian/ids.ts";
import { requestBody } from "./apidian/request.ts";
import { correctCustomer, correctSale, type DocumentProblem } from "./document-problem.ts";

/**
 * What the provider or the authority would refuse in a document, found before its number is used. The arithmetic is the
 * authority's, whoever stands in front of it; the fields, tables and taxes are those of the provider in use.
 */
export function checkDocument(
  document: SealedDocument,
  settings: IssuerSettings,
  provider: Config["fiscalAuthority"],
): DocumentProblem | undefined {
  const early =
    checkLines(document) ??
    // The buyer of a note is the one of the document that it corrects, right or wrong.
    (document.annuls === null ? checkBuyer(document) : undefined) ??
    (provider === "apidian" ? checkTaxes(document) : undefined);
  if (early) return early;
  const body = requestBody({ document, settings });
  return (provider === "apidian" ? checkFields(body, document.type_document_id) : undefined) ?? checkAmounts(body);
}

function checkLines({ lines, subtotal, tax, tip_amount, total }: DocumentContent): DocumentProblem | undefined {
  if (lines.length === 0) return { field: "lines", message: "La venta no tiene líneas.", advice: correctSale };
  for (const [i, line] of lines.entries()) {
    const place = `la línea ${i + 1} (${line.description})`;
    if (!(line.quantity > 0))
      return { field: "quantity", message: `La cantidad de ${place} no es mayor que cero.`, advice: correctSale };
    const amounts = [line.unit_price, line.extension, ...line.taxes.flatMap(({ base, amount }) => [base, amount])];
    if (amounts.some((amount) => amount < 0))
      return { field: "negative", message: `En ${place} hay un valor negativo.`, advice: correctSale };
  }
  if ([subtotal, tax, tip_amount, total].some((amount) => amount < 0))
    return { field: "negative", message: "La venta tiene un valor negativo.", advice: correctSale };
  return undefined;
}

/** A final consumer needs no document of identity; a named buyer of an invoice does. */
function checkBuyer({ customer, type_document_id }: DocumentContent): DocumentProblem | undefined {
  if (customer === null) return undefined;
  const written = customer.document_number?.trim() ?? "";
  if (written === "")
    return type_document_id === 1
      ? {
          field: "customer.document_number",
          message: `El cliente ${customer.name} no tiene número de documento, y una factura lo exige.`,
          advice: "Escríbalo en el cliente y reenvíe el documento.",
        }
      : undefined;
  const reading = customer.document_type === "NIT" ? parseNit(written) : undefined;
  if (reading?.kind === "wrong_check_digit")
    return {
      field: "customer.document_number",
      message: `El NIT ${written} de ${customer.name} no corresponde: el dígito de verificación de ${reading.number} es ${reading.checkDigit}.`,
      advice: correctCustomer,
    };
  if (reading?.kind === "unreadable")
    return {
      field: "customer.document_number",
      message: `«${written}» no es el NIT de ${customer.name}.`,
      advice: correctCustomer,
    };
  return undefined;
}

function checkTaxes({ lines, tax_breakdown }: DocumentContent): DocumentProblem | undefined {
  for (const { code, per_unit } of [...lines.flatMap(({ taxes }) => taxes), ...tax_breakdown]) {
    if (taxIds[code] !== undefined && (per_unit === null || perUnitTaxCodes.includes(code))) continue;
    return {
      field: "taxes",
      message: `El proveedor APIDIAN no puede llevar el impuesto ${code}${per_unit === null ? "" : " por unidad"}.`,
      advice: "Quítelo del producto en la caja, o pida al proveedor que lo admita, y reenvíe el documento.",
    };
  }
  return undefined;
}
