import type { Permit } from "../../../register/cashiers.ts";
import type { KeptSale } from "../../../register/sale.ts";
import type { Scanned } from "../../../register/scanned.ts";
import type { TicketLine } from "../../../register/ticket.ts";

/** What is asked in place of the products. */
export type Asking =
  | { kind: "weight" | "variant"; found: Scanned; count: number }
  | { kind: "line"; id: string }
  | { kind: "unpriced"; line: TicketLine }
  | { kind: "create"; code: string; permit: Permit }
  | { kind: "free" | "price" | "buyer" | "ticket" | "waiting" | "charge" | "quote" | "drop" }
  | { kind: "sold"; sale: KeptSale };

/** What there is nothing to ask about while the ticket is empty. */
export const ofTicket: ReadonlySet<Asking["kind"]> = new Set(["buyer", "ticket", "charge", "drop"]);
