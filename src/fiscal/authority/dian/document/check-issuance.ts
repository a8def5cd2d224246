import { bogotaDate } from "../../../../taxes/bogota-time.ts";
import type { SealedDocument } from "../../../content/document-content.ts";
import { correctProfile, type DocumentProblem } from "../../document-problem.ts";
import { certificateProblem, type Signer } from "../signature/signer.ts";
import type { Authorization, Issuance, Issuer } from "./issuance.ts";
import { type DocumentKind, kindOf } from "./kinds.ts";
import { issuerIdentification } from "./parties.ts";

/** What the authority would refuse of what stands around a document, found before its number is used. */
export function checkIssuance(
  document: SealedDocument,
  kind: DocumentKind,
  { issuer, software, authorization }: Issuance,
  signer: Signer,
  now: Date,
): DocumentProblem | undefined {
  const problem = (field: string, message: string): DocumentProblem => ({ field, message, advice: correctProfile });
  const certificate = certificateProblem(signer, issuerIdentification(document.issuer_nit).number, now);
  if (certificate) return problem("certificate", certificate);
  if (!/^[\w-]{1,64}$/.test(software.id)) return problem("software_id", "Falta el identificador del software.");
  if (kindOf(kind).isNumberedByResolution) {
    const reason = authorization === null ? "falta" : whyNotAuthorized(document, authorization);
    if (reason) return problem("range", `La autorización de numeración de la DIAN ${reason}.`);
  }
  const missing = missingIn(issuer);
  if (missing) return problem(missing.field, `En los datos del negocio falta ${missing.words}.`);
  // The day of issue must be that of the signature (FAD09e).
  if (bogotaDate(new Date(document.issued_at)) !== bogotaDate(now))
    return {
      field: "issued_at",
      message: "El documento es de otro día, y la DIAN exige la fecha de la firma.",
      advice: "Reenvíelo para sellarlo con la fecha de hoy.",
    };
  return undefined;
}

function whyNotAuthorized({ prefix, number, issued_at }: SealedDocument, range: Authorization): string | undefined {
  const day = bogotaDate(new Date(issued_at));
  if (!/^\d{1,14}$/.test(range.resolution)) return `no es un número: «${range.resolution}»`;
  if (range.prefix !== prefix) return `es del prefijo ${range.prefix || "vacío"} y no de ${prefix || "uno vacío"}`;
  if (number < range.first || number > range.last) return `va de ${range.first} a ${range.last}`;
  if (day < range.validFrom || day > range.validUntil) return `vale de ${range.validFrom} a ${range.validUntil}`;
  return undefined;
}

function missingIn({ name, address }: Issuer): { field: string; words: string } | undefined {
  if (name.trim() === "") return { field: "name", words: "la razón social" };
  if (!/^\d{5}$/.test(address.municipality)) return { field: "municipality", words: "el código del municipio" };
  if (address.city.trim() === "" || address.department.trim() === "") return { field: "city", words: "la ciudad" };
  if (address.line.trim() === "") return { field: "address", words: "la dirección" };
  return undefined;
}
