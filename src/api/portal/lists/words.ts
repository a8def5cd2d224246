import type { CashSession } from "../../../business/cash-sessions/schema.ts";
import type { ActKind } from "../../../business/counter/act-kinds.ts";
import type { Customer } from "../../../business/customers/schema.ts";
import type { Invoice } from "../../../business/invoices/schema.ts";
import type { OrderFulfilment } from "../../../business/orders/schema.ts";
import type { OrderStatus } from "../../../business/orders/states.ts";
import type { PayingMeans } from "../../../business/purchases/payments.ts";
import type { PurchaseStatus } from "../../../business/purchases/states.ts";
import type { Quote } from "../../../business/quotes/schema.ts";
import type { Sale } from "../../../business/sales/schema.ts";
import type { StateWords } from "./list.ts";

/** The words of records on pages and in files. Values that a register made up are written as they came. */

const saleStates: Record<string, StateWords> = {
  completed: { title: "Completada", color: "green" },
  returned: { title: "Devuelta", color: "gray" },
  partly_returned: { title: "Devuelta en parte", color: "yellow" },
  cancelled: { title: "Anulada", color: "red" },
  open: { title: "Abierta", color: "yellow" },
  pending: { title: "Pendiente", color: "yellow" },
};
export const saleState = (state: string): StateWords => saleStates[state] ?? { title: state, color: "gray" };

/** What a list of sales has besides them. */
export const saleMovements = {
  return: { title: "Devolución", color: "gray" },
  cancellation: { title: "Anulación", color: "red" },
  correction: { title: "Corrección", color: "yellow" },
} satisfies Record<string, StateWords>;

export const saleKinds: Record<Sale["document_kind"], string> = { pos: "Documento POS", invoice: "Factura" };

/** In the order in which an owner looks for them. */
export const documentTitles: Record<Invoice["document_type"], string> = {
  electronic_invoice: "Factura electrónica",
  pos_document: "Documento POS",
  pos_adjustment_note: "Nota de ajuste",
  other: "Nota crédito",
  internal_invoice: "Documento interno",
};

export const documentStates: Record<Invoice["status"], StateWords> = {
  pending: { title: "En camino", color: "yellow" },
  issued: { title: "Aceptado", color: "green" },
  rejected: { title: "Rechazado", color: "red" },
  emission_failed: { title: "Sin emitir", color: "red" },
  annulled: { title: "Anulado", color: "gray" },
};

export const quoteStates: Record<Quote["status"], StateWords> = {
  draft: { title: "Borrador", color: "gray" },
  sent: { title: "Enviada", color: "yellow" },
  accepted: { title: "Aceptada", color: "green" },
  rejected: { title: "Rechazada", color: "red" },
  expired: { title: "Vencida", color: "gray" },
  converted: { title: "Vendida", color: "green" },
};

export const orderWords: Record<OrderStatus, StateWords> = {
  placed: { title: "Nuevo", color: "yellow" },
  accepted: { title: "Aceptado", color: "green" },
  ready: { title: "Listo", color: "green" },
  completed: { title: "Entregado", color: "gray" },
  rejected: { title: "Rechazado", color: "red" },
  cancelled: { title: "Cancelado", color: "gray" },
  expired: { title: "Vencido", color: "red" },
};

export const purchaseWords: Record<PurchaseStatus, StateWords> = {
  draft: { title: "Borrador", color: "gray" },
  ordered: { title: "Pedida", color: "yellow" },
  partly_received: { title: "Recibida en parte", color: "yellow" },
  received: { title: "Recibida", color: "green" },
  closed: { title: "Cerrada", color: "gray" },
  cancelled: { title: "Cancelada", color: "gray" },
};

/** How what is owed to a supplier stands by its day. */
export const payableWords = {
  overdue: { title: "Vencida", color: "red" },
  soon: { title: "Esta semana", color: "yellow" },
  later: { title: "Al día", color: "green" },
  undated: { title: "Sin fecha", color: "gray" },
  credit: { title: "A favor", color: "gray" },
} as const satisfies Record<string, StateWords>;
export type PayableStanding = keyof typeof payableWords;

/** With what a supplier is paid. */
export const payingWords: Record<PayingMeans, string> = {
  drawer: "Efectivo del cajón",
  cash: "Otro efectivo",
  bank: "Transferencia o banco",
  card: "Tarjeta",
};

/** When a supplier is paid. */
export const termWords = (days: number): string => (days === 0 ? "De contado" : days === 1 ? "1 día" : `${days} días`);

export const fulfilmentTitles: Record<OrderFulfilment["type"], string> = {
  pickup: "Recogen",
  delivery: "Domicilio",
  dine_in: "Mesa",
};

/** Files say it shorter. */
interface TwoWords {
  title: string;
  inFiles: string;
}
const alike = (title: string): TwoWords => ({ title, inFiles: title });

export const personTypes: Record<Customer["person_type"], TwoWords> = {
  person: { title: "Persona natural", inFiles: "Natural" },
  company: alike("Empresa"),
};

export const contactChannels: Record<NonNullable<Customer["contact_channel"]>, TwoWords> = {
  none: alike("Sin dato"),
  store: { title: "Por la tienda", inFiles: "Tienda" },
  whatsapp: alike("WhatsApp"),
  instagram: alike("Instagram"),
  website: alike("Página web"),
  referral: alike("Referido"),
};

export function customerName({ name, last_name }: Pick<Customer, "name" | "last_name">): string {
  return last_name ? `${name} ${last_name}` : name;
}

/** "NIT 900373923-8", or null without a number. */
export function identityOf({ document_type, document_number }: Pick<Customer, "document_type" | "document_number">) {
  return document_number === null ? null : `${document_type} ${document_number}`;
}

/** "EPOS 1024"; a document that has no number yet has none to show. */
export function documentName({ prefix, number }: { prefix: string | null; number: number | null }): string | null {
  return number === null || number === 0 ? null : `${prefix ?? ""} ${number}`.trim();
}

export const stockStates = {
  low: "Por agotarse",
  out: "Agotados",
  negative: "En negativo",
  some: "Con existencias",
};

/** Registers may send others. */
export const movementTypes: Record<string, string> = {
  in: "Entrada",
  out: "Salida",
  adjustment: "Ajuste",
  purchase: "Compra",
  sale: "Venta",
  return: "Devolución",
  waste: "Merma",
  transfer_in: "Traslado, entra",
  transfer_out: "Traslado, sale",
  initial_stock: "Inventario inicial",
};

/** What happened at a counter. */
export const actTitles: Record<ActKind, string> = {
  discount: "Descuento",
  price: "Precio cambiado",
  free_line: "Línea libre",
  line_removed: "Línea quitada",
  ticket_dropped: "Tiquete botado",
  sale_cancelled: "Venta anulada",
  sale_returned: "Devolución",
  cash_moved: "Entrada o salida de efectivo",
  drawer_opened: "Cajón abierto",
  stock_moved: "Existencias movidas",
  expected_cash_seen: "Efectivo esperado visto",
  shift_closed: "Turno cerrado",
  product_created: "Producto creado o cambiado en la caja",
  payment_corrected: "Medio de pago corregido",
  wrong_pins: "PIN equivocados",
  pin_shared: "Dos personas con el mismo PIN",
  other: "Otro",
};

export const shiftStates: Record<CashSession["status"], StateWords> = {
  open: { title: "Abierto", color: "green" },
  suspended: { title: "En pausa", color: "yellow" },
  closed: { title: "Cerrado", color: "gray" },
};
