import type { Mail } from "./queue-mail.ts";
import { mail } from "./templates.ts";

export const documentMailKind = "document";

export interface MailedDocument {
  id: string;
  business: string;
  /** How the buyer reaches the business. */
  contact: string | null;
  /** Whether an answer to the mail reaches the business. */
  canAnswer: boolean;
  /** "Factura electrónica SETP1" */
  name: string;
  day: string;
  total: string;
  /** The code and its address in the authority's catalogue; an internal document has none. */
  code: { name: string; value: string; url: string } | null;
}

/** To the buyer, with the document's PDF, and its XML where there is one. */
export function documentMail(document: MailedDocument): Mail {
  const { id, business, contact, canAnswer, name, day, total, code } = document;
  const written = mail(
    documentMailKind,
    `${name} de ${business}`,
    [
      `Gracias por su compra en ${business}. Adjuntamos su documento: ${name}.`,
      { fact: "Fecha", value: day },
      { fact: "Total", value: total },
      ...(code
        ? [
            { fact: code.name, value: code.value },
            { link: code.url, label: "Consultar en el catálogo de la DIAN" },
          ]
        : []),
      ...(contact
        ? [
            `Si tiene preguntas, ${canAnswer ? "responda a este correo o " : ""}comuníquese con ${business}: ${contact}.`,
          ]
        : []),
    ],
    {
      sender: business,
      reason: `${canAnswer ? `Su respuesta le llega a ${business}.` : "Este correo salió de una dirección que nadie lee."} Lo recibe porque compró en ${business} y dejó este correo.`,
    },
  );
  return { ...written, documentId: id };
}
