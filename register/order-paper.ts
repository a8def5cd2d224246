import { paymentName } from "../src/taxes/means.ts";
import { moment, pesos, quantity, time } from "./format.ts";
import { buyerOf, type Order, paidPart, wantedAt } from "./order.ts";
import { type Block, row, rule } from "./paper.ts";

export const fulfilmentWords: Record<Order["fulfilment"]["type"], string> = {
  pickup: "Recogen aquí",
  delivery: "Domicilio",
  dine_in: "En la mesa",
};

/** "Pagado · Tarjeta", "Por cobrar $6.400" */
export function paymentText(order: Order): string {
  const paid = paidPart(order);
  if (!paid) return `Por cobrar ${pesos(order.total)}`;
  const name = paymentName(paid.payment_method);
  return paid.amount === order.total
    ? `Pagado · ${name}`
    : `Por cobrar ${pesos(order.total - paid.amount)}, ya pagó ${pesos(paid.amount)}`;
}

/** What the kitchen, or whoever picks it from the shelves, works from: what and how many, large; no prices but what is to be paid. */
export function orderPaper(order: Order): Block[] {
  const { number, source, fulfilment, contact, items, notes, created_at } = order;
  const wanted = wantedAt(order);
  const text = (value: string | null | undefined): Block[] => (value ? [{ kind: "text", text: value }] : []);
  return [
    { kind: "title", text: `PEDIDO ${number}` },
    { kind: "center", text: `${source} · ${moment(created_at)}` },
    rule,
    ...(wanted ? [{ kind: "strong", text: `Para ${atTime(wanted)}` } as const] : []),
    { kind: "strong", text: `${fulfilmentWords[fulfilment.type]} · ${buyerOf(order)}` },
    ...text(contact?.phone),
    ...text(fulfilment.address),
    ...text(fulfilment.notes),
    rule,
    ...items.flatMap((item): Block[] => [
      { kind: "item", text: `${quantity(item.quantity)} × ${item.description}` },
      ...text(item.notes && `  ${item.notes}`),
    ]),
    ...(notes ? [rule, { kind: "strong", text: notes } as const] : []),
    rule,
    row(paymentText(order), ""),
  ];
}

/** "las 3:45 p. m." today, with its day on any other. */
export function atTime(iso: string, now = new Date()): string {
  const isSoon = Math.abs(Date.parse(iso) - now.getTime()) < 12 * 3_600_000;
  if (!isSoon) return `el ${moment(iso)}`;
  const at = time(iso);
  return `${/^1:/.test(at) ? "la" : "las"} ${at}`;
}

/** "12 min", "1 h 5 min", "2 días" */
export function lengthText(ms: number): string {
  const minutes = Math.max(1, Math.round(Math.abs(ms) / 60_000));
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours >= 48) return `${Math.floor(hours / 24)} días`;
  return minutes % 60 === 0 || hours >= 10 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
}
