import { unlinked } from "../lib/unlinked.ts";
import { mail, unread } from "./layout.ts";
import type { Mail } from "./queue-mail.ts";

export interface MailedPurchase {
  id: string;
  number: number;
  business: string;
  /** How the supplier reaches the business. */
  contact: string | null;
  canAnswer: boolean;
  lines: number;
  total: string;
  unsubscribe: string;
}

/** To a supplier: what is asked for, with its paper. */
export function purchaseMail({
  id,
  number,
  contact,
  canAnswer,
  lines,
  total,
  unsubscribe,
  ...of
}: MailedPurchase): Mail {
  const business = unlinked(of.business);
  const written = mail(
    "purchase_order",
    `Orden de compra ${number} de ${business}`,
    [
      `${business} le pide lo que dice la orden de compra ${number}, que va adjunta.`,
      { fact: "Líneas", value: String(lines) },
      { fact: "Total", value: total },
      "Escriba el número de la orden en su factura y en la remisión.",
      ...(contact
        ? [`Para cambios, ${canAnswer ? "responda a este correo o " : ""}comuníquese con ${business}: ${contact}.`]
        : []),
    ],
    {
      sender: business,
      reason: `${canAnswer ? `Su respuesta le llega a ${business}.` : unread} Lo recibe porque ${business} lo tiene como proveedor.`,
      unsubscribe,
    },
  );
  return { ...written, documentId: id };
}
