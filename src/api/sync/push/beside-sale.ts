import { type Finding, finding } from "../../../fiscal/findings/finding.ts";

/** What a register sends beside a sale or a return: its means of payment, who rang it up and the number on the ticket. */
export interface BesideSale {
  payments: Payment[] | null;
  cashierId: string | null;
  ticketNumber: number | null;
  /** Something was sent that cannot be read. It is left out and reported; the sale counts. */
  isUnreadable: boolean;
}

export interface Payment {
  payment_method: string;
  amount: number;
  /** What the terminal or the bank calls it: an approval number. */
  reference?: string;
}

const maxPayments = 20;
const maxMethodLength = 40;
export const maxReferenceLength = 40;
const mostTickets = 999_999_999;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function readBesideSale(raw: Record<string, unknown>): BesideSale {
  const { payments = null, cashier_id = null, ticket_number } = raw;
  const isList = Array.isArray(payments) && payments.length <= maxPayments && payments.every(isPayment);
  const isId = typeof cashier_id === "string" && uuid.test(cashier_id);
  return {
    payments: isList ? payments.map(readPayment) : null,
    cashierId: isId ? cashier_id.toLowerCase() : null,
    ticketNumber: isTicketNumber(ticket_number) ? ticket_number : null,
    isUnreadable: (payments !== null && !isList) || (cashier_id !== null && !isId),
  };
}

/** A reference that cannot be read, or is too long to be one, costs nobody the payment. */
function readPayment({ payment_method, amount, reference }: Payment): Payment {
  const text = typeof reference === "string" ? Array.from(reference.trim()).slice(0, maxReferenceLength).join("") : "";
  return { payment_method, amount, ...(text !== "" && { reference: text }) };
}

function isTicketNumber(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) > 0 && (value as number) <= mostTickets;
}

function isPayment(value: unknown): value is Payment {
  const { payment_method, amount } = (value ?? {}) as Partial<Payment>;
  const isNamed = typeof payment_method === "string" && payment_method.length <= maxMethodLength;
  return isNamed && Number.isSafeInteger(amount);
}

export function checkBesideSale({ payments, isUnreadable }: BesideSale, total: number): Finding[] {
  if (isUnreadable) return [finding("payments", null, null, "Los medios de pago o la persona no se pueden leer.")];
  if (payments === null) return [];
  const sum = payments.reduce((all, { amount }) => all + amount, 0);
  return sum === total ? [] : [finding("payments", total, sum, "Los medios de pago no suman el total.")];
}
