import { unlinked } from "../lib/unlinked.ts";
import { mail, unread } from "./layout.ts";
import type { Mail } from "./queue-mail.ts";

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
  /** Where its buyer sees it as it stands; null for a document without a sale. */
  link: string | null;
}

/** Why a document goes: the law has every document delivered; what somebody asked for can be stopped by its reader. */
export type DocumentOccasion = { kind: "document" } | { kind: "ticket" | "requested_document"; unsubscribe: string };

const maxNameLength = 100;
/** Of a CUFE or CUDE: SHA-384 in hexadecimal. */
const isDocumentCode = /^[0-9a-f]{96}$/i;

/** To the buyer, with the document's PDF, and its XML where there is one. */
export function documentMail(document: MailedDocument, occasion: DocumentOccasion): Mail {
  const { id, contact, canAnswer, day, total } = document;
  // A register may have sent any text as the document's number or code.
  const name = unlinked(document.name.slice(0, maxNameLength));
  const code = document.code && isDocumentCode.test(document.code.value) ? document.code : null;
  const business = unlinked(document.business);
  const written = mail(
    occasion.kind,
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
      ...(document.link ? [{ link: document.link, label: "Ver el documento y su estado" }] : []),
      ...(contact
        ? [
            `Si tiene preguntas, ${canAnswer ? "responda a este correo o " : ""}comuníquese con ${business}: ${contact}.`,
          ]
        : []),
    ],
    {
      sender: business,
      reason: `${canAnswer ? `Su respuesta le llega a ${business}.` : unread} Lo recibe porque compró en ${business} y dejó este correo.`,
      ...("unsubscribe" in occasion && { unsubscribe: occasion.unsubscribe }),
    },
  );
  return { ...written, documentId: id };
}
