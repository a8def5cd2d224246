import { documentTitles } from "../../../src/api/portal/lists/words.ts";
import { meansOffered, paymentName, paymentNames } from "../../../src/taxes/means.ts";
import type { Attempt, Delivery, Endpoint, NumberingRange } from "./answers.ts";

/** The API's codes in a shop owner's words. What only developers read is in developer-words.ts: the first page does without it. */

/** A page that was loaded before an update shows unknown codes unchanged. */
export function titleIn(titles: Readonly<Record<string, string>>, code: string): string {
  return titles[code] ?? code;
}

interface StateWords {
  title: string;
  color: string;
}

export const deliveryStates: Record<Delivery["state"], StateWords> = {
  pending: { title: "Pendiente", color: "yellow" },
  delivered: { title: "Entregada", color: "green" },
  failed: { title: "Fallida", color: "red" },
  dropped: { title: "Descartada", color: "gray" },
};

export const endpointStates: Record<Endpoint["status"], StateWords> = {
  active: { title: "Activo", color: "green" },
  paused: { title: "En pausa", color: "yellow" },
  deactivated: { title: "Desactivado", color: "red" },
};

/** The owner's name for an endpoint, or its address without the scheme. */
export function endpointName({ name, url }: Pick<Endpoint, "name" | "url">): string {
  return name ?? url.replace(/^https:\/\//, "");
}

export const rangeKinds: Record<NumberingRange["kind"], { title: string; plural: string }> = {
  pos: { title: "Documentos POS", plural: "documentos POS" },
  invoice: { title: "Facturas electrónicas", plural: "facturas electrónicas" },
  note: { title: "Notas", plural: "notas" },
  internal: { title: "Documentos internos", plural: "documentos internos" },
};

export const rangeStates: Record<NumberingRange["state"], StateWords> = {
  in_use: { title: "En uso", color: "green" },
  waiting: { title: "Sigue después", color: "gray" },
  future: { title: "Aún no vale", color: "gray" },
  exhausted: { title: "Agotado", color: "red" },
  expired: { title: "Vencido", color: "red" },
};

export const documentTitle = (type: string) => titleIn(documentTitles, type);

/** As registers write them; an unknown one is shown as it came. */
export const paymentTitle = paymentName;
export const paymentTitles = paymentNames;
export const paymentOptions = meansOffered("refund").map((value) => ({ value, label: paymentName(value) }));

const taxes: Record<string, string> = { "01": "IVA", "03": "ICA", "04": "INC", "22": "INC bolsas" };
export const taxTitle = (code: string) => titleIn(taxes, code);

const failures: Record<NonNullable<Attempt["failure"]>, string> = {
  dns: "DNS: el dominio no se encontró",
  address: "Dirección no pública",
  connect: "Conexión rechazada",
  tls: "TLS: certificado o conexión segura",
  timeout: "Tiempo agotado (10 s)",
  redirect: "Redirección",
  status: "Estado distinto de 2xx",
  response: "Sin respuesta HTTP",
};
export const failureTitle = (failure: string) => titleIn(failures, failure);
