import type { DocumentCustomer } from "../content/document-content.ts";
import { customerNumber, finalConsumer } from "../content/document-hash.ts";

/** A buyer without a number is the final consumer, whatever name was typed. */
export function isNamed(buyer: DocumentCustomer | null): buyer is DocumentCustomer {
  return buyer !== null && customerNumber(buyer) !== finalConsumer;
}

export function nameOf({ name, last_name }: DocumentCustomer): string {
  return [name, last_name].filter(Boolean).join(" ");
}

/** A document is refused for a mistyped address; it is worth more than the address. */
export function isEmail(text: string | null): text is string {
  return text !== null && /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(text);
}
