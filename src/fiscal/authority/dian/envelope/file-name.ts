import { bogotaYear } from "../../../../taxes/bogota-time.ts";
import { type DocumentKind, kindOf } from "../document/kinds.ts";

const ownSoftware = "000";

/**
 * What a document's file and its archive are called: the issuer's number, the year and a number within it. Eight
 * hexadecimal digits of the document's own number stay the same however often it is sent.
 */
export function fileNames(
  kind: DocumentKind,
  nit: string,
  number: number,
  issuedAt: Date,
): { xml: string; zip: string } {
  const year = String(bogotaYear(issuedAt) % 100).padStart(2, "0");
  const sequence = number.toString(16).toUpperCase().padStart(8, "0");
  const rest = `${nit.padStart(10, "0")}${ownSoftware}${year}${sequence}`;
  return { xml: `${kindOf(kind).filePrefix}${rest}.xml`, zip: `z${rest}.zip` };
}
