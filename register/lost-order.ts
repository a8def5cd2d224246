import { isOpen } from "../src/business/orders/states.ts";
import { paymentNames } from "../src/taxes/means.ts";
import { pesos } from "./format.ts";
import { type Around, howItStands, type Order, type OrderView, paidPart, ticketOfOrder } from "./order.ts";
import { lineOf, newTicket, type Ticket, type TicketLine, withLine } from "./ticket.ts";

/** How an order ended; undefined while it may be handed over. By its own time it is over before anybody says so. */
export function endOf({ status, isOver }: OrderView): Order["status"] | undefined {
  return isOver ? "expired" : isOpen(status) ? undefined : status;
}

/** Why a ticket for an order is no use any more. */
export function endText(order: OrderView, end: Order["status"]): string {
  if (end === "expired") return `El pedido ${order.number} venció.`;
  if (!order.isProvisional) return `El pedido ${order.number} ${howItStands(order)}.`;
  return `El pedido ${order.number} ${end === "completed" ? "ya se entregó" : "se rechazó"} en esta caja.`;
}

/** A ticket after its order was lost: what the cashier added stays, as anybody buys it. */
export function withoutOrder(ticket: Ticket, order: Order, around: Around): { left: Ticket; gone: TicketLine[] } {
  const { order_id: _order, parts: _parts, despite: _despite, kept, ...own } = ticket;
  const gone = ticket.lines.flatMap(({ quoted, ...line }) =>
    quoted === undefined ? [] : [{ ...line, quantity: Math.min(line.quantity, quoted) }],
  );
  const added = ticket.lines.filter(({ quoted }) => quoted === undefined);
  const beyond = ticket.lines.flatMap((line) => beyondOrder(line, around));
  const { lines } = beyond.reduce(withLine, { ...ticket, lines: added });
  const [made, fresh] = [ticketOfOrder(order, ticket, around), newTicket(ticket.id, new Date(ticket.opened_at))];
  const unlessOrdered = <Field extends "customer_id" | "table_label" | "notes">(field: Field) =>
    ticket[field] === made[field] ? fresh[field] : ticket[field];
  const customer_id = unlessOrdered("customer_id");
  const left: Ticket = {
    ...own,
    lines,
    // Pesos off were agreed for the order, and a tip was asked for all of it.
    discount: ticket.discount && "percent" in ticket.discount ? ticket.discount : null,
    tip: 0,
    customer_id,
    table_label: unlessOrdered("table_label"),
    notes: unlessOrdered("notes"),
    document_kind: customer_id === ticket.customer_id ? ticket.document_kind : "pos",
    ...(kept && {
      kept: Object.fromEntries(Object.entries(kept).filter(([id]) => added.some((one) => one.id === id))),
    }),
  };
  return { left, gone };
}

/** What of a line is more than was ordered: it costs what it costs anybody. */
function beyondOrder({ product_id, variant_id, quantity, quoted }: TicketLine, around: Around): TicketLine[] {
  const more = quoted === undefined ? 0 : Math.round((quantity - quoted) * 1e6) / 1e6;
  const product = more > 0 && product_id !== null ? around.productOf(product_id) : undefined;
  const variant = product?.variants?.find(({ id }) => id === variant_id);
  return product ? [lineOf(around.newId(), product, more, variant)] : [];
}

/** What was paid for it here, beside what had been paid before it came. */
export function paidHere({ parts = [] }: Ticket, order: Order): NonNullable<Ticket["parts"]> {
  return parts.slice(paidPart(order) ? 1 : 0);
}

/** What became of the ticket, and what is done next. */
export function nextText(end: Order["status"] | undefined, left: Ticket): string {
  const ticket =
    left.lines.length > 0
      ? "Lo del pedido salió del tiquete; lo que usted agregó sigue ahí."
      : "Lo del pedido salió del tiquete.";
  const next =
    end === "completed"
      ? "No lo cobre otra vez."
      : end === undefined
        ? "Si lo va a entregar usted, tómelo otra vez en Pedidos."
        : "Si el cliente está aquí, puede venderlo de todos modos: queda como una venta más.";
  return `${ticket} ${next}`;
}

export function paidText(parts: NonNullable<Ticket["parts"]>): string {
  const sum = parts.reduce((all, { amount }) => all + amount, 0);
  return `Para él ya se recibieron aquí ${pesos(sum)} en ${paymentNames(parts)}: devuélvalos y bote el tiquete, o termine la venta, que queda como una venta más.`;
}
