import type { Order } from "./schema.ts";

/**
 * An order's text for a key that may write orders and not read them: without what says who waits for it and where, except the fields
 * that the request itself wrote.
 */
export function withoutPerson(text: string, written: object): string {
  const order = JSON.parse(text) as Order;
  if (!("contact" in written)) order.contact = null;
  if (!("notes" in written)) order.notes = null;
  order.fulfilment = { ...order.fulfilment, address: null, notes: null };
  return JSON.stringify(order);
}
