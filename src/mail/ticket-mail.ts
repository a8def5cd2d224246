import { documentMailKind } from "./document-mail.ts";
import type { Mail } from "./queue-mail.ts";
import { mail } from "./templates.ts";

export interface MailedTicket {
  business: string;
  /** How the buyer reaches the business. */
  contact: string | null;
  day: string;
  lines: { what: string; value: string }[];
  total: string;
}

/** To the buyer, where the sale has no document of its own. */
export function ticketMail({ business, contact, day, lines, total }: MailedTicket): Mail {
  return mail(
    documentMailKind,
    `Su compra en ${business}`,
    [
      `Gracias por su compra en ${business}.`,
      { fact: "Fecha", value: day },
      ...lines.map(({ what, value }) => ({ fact: what, value })),
      { fact: "Total", value: total },
      ...(contact ? [`Si tiene preguntas, comuníquese con ${business}: ${contact}.`] : []),
    ],
    {
      sender: business,
      reason: `Este correo salió de una dirección que nadie lee. Lo recibe porque compró en ${business} y dejó este correo.`,
    },
  );
}
