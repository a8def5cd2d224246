import { contactChannels, documentName as numberOf, personTypes } from "../../../src/api/portal/lists/words.ts";
import { documentTypes } from "../../../src/taxes/document-types.ts";
import type { Customer, DocumentRow, SaleDetail } from "./answers.ts";
import { number, pesos } from "./format.ts";
import { optionsOf } from "./options.ts";
import { taxTitle } from "./words.ts";

export { customerName, identityOf } from "../../../src/api/portal/lists/words.ts";

/** The codes and the parts of records in a shop owner's words. */

/** What became of a ticket that a cashier promised by mail. */
export function ticketMailState({ state, reason }: PromisedTicket): string {
  return state === "refused" && reason !== null ? `no salió, porque ${refusals[reason]}` : states[state];
}

type PromisedTicket = SaleDetail["ticket_mails"][number];

const states: Record<PromisedTicket["state"], string> = {
  waiting: "sale cuando el documento esté aceptado",
  sent: "enviado",
  refused: "no salió, porque se pidieron demasiados correos",
  given_up: "no salió, porque el documento no se aceptó a tiempo",
};

const refusals: Record<NonNullable<PromisedTicket["reason"]>, string> = {
  too_many: "se pidieron demasiados correos",
  new_business: "en su primera semana un negocio envía menos correos al día",
  unsubscribed: "en esa dirección pidieron no recibir más tiquetes de su negocio",
  bounced: "esa dirección no existe",
  owner_off: "los tiquetes por correo están apagados en Ajustes → Mostrador",
  operator_off: "quien administra su Mostrador tiene apagados los tiquetes por correo",
};

/** A note takes away what its original gave. */
export function isNote({ document_type }: Pick<DocumentRow, "document_type">): boolean {
  return documentTypes[document_type].isNote;
}

/** "EPOS 1024". */
export const documentName = (document: Parameters<typeof numberOf>[0]): string => numberOf(document) ?? "Sin número";

/** What the authority calls the code of this kind of document. */
export const codeName = (type: DocumentRow["document_type"]) => documentTypes[type].code;

export const personOptions = optionsOf(personTypes);
export const channelOptions = optionsOf(contactChannels);

const identityTypes: Record<Customer["document_type"], string> = {
  CC: "Cédula de ciudadanía",
  NIT: "NIT",
  CE: "Cédula de extranjería",
  TI: "Tarjeta de identidad",
  PASAPORTE: "Pasaporte",
};
export const identityOptions = optionsOf(identityTypes);

const movements: Record<string, string> = {
  sale: "Salida por venta",
  return: "Vuelve por devolución",
  purchase: "Compra",
  adjustment: "Ajuste",
  recipe_explosion: "Ingrediente de una receta",
  reversal: "Anulación",
  in: "Entrada",
  out: "Salida",
};
export const movementTitle = (type: string) => movements[type] ?? type;

/** "IVA 19 %", or "INC bolsas $ 73 por unidad". */
export function taxName({
  code,
  rate,
  per_unit,
}: {
  code: string;
  rate: number | null;
  per_unit: number | null;
}): string {
  if (rate !== null) return `${taxTitle(code)} ${number(rate)} %`;
  return per_unit === null ? taxTitle(code) : `${taxTitle(code)} ${pesos(per_unit)} por unidad`;
}
