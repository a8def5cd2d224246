import { allRights, type Right } from "../../../business/counter/rights.ts";
import { maxPesos } from "../../../engine/resources/fields.ts";
import { type Finding, finding } from "../../../fiscal/findings/finding.ts";
import { legibleMeans } from "../../../taxes/means.ts";

/**
 * What a register sends beside a record: means of payment, who made it, who did or allowed what takes a right, and the number on the
 * ticket.
 */
export interface BesideSale {
  payments: Payment[] | null;
  cashierId: string | null;
  acts: BesideAct[];
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

/** Who did something that takes a right, and who allowed it, if it was somebody else. */
export interface BesideAct {
  right: Right;
  cashierId: string;
  authorizedBy: string | null;
}

const maxPayments = 20;
const maxMethodLength = 40;
export const maxReferenceLength = 40;
const mostTickets = 999_999_999;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function readBesideSale(raw: Record<string, unknown>): BesideSale {
  const { payments = null, cashier_id = null, acts = null, ticket_number } = raw;
  const isList = Array.isArray(payments) && payments.length <= maxPayments && payments.every(isPayment);
  const isId = isUuid(cashier_id);
  const areActs = Array.isArray(acts) && acts.length <= allRights.length && acts.every(isAct);
  return {
    payments: isList ? payments.map(readPayment) : null,
    cashierId: isId ? cashier_id.toLowerCase() : null,
    acts: areActs ? acts.flatMap(readAct) : [],
    ticketNumber: isTicketNumber(ticket_number) ? ticket_number : null,
    isUnreadable: (payments !== null && !isList) || (cashier_id !== null && !isId) || (acts !== null && !areActs),
  };
}

interface SentAct {
  right: string;
  cashier_id: string;
  authorized_by?: string | null;
}

function isAct(value: unknown): value is SentAct {
  const { right, cashier_id, authorized_by = null } = (value ?? {}) as Partial<SentAct>;
  return typeof right === "string" && isUuid(cashier_id) && (authorized_by === null || isUuid(authorized_by));
}

/** A right that this service does not know is nothing to judge. */
function readAct({ right, cashier_id, authorized_by }: SentAct): BesideAct[] {
  const known = allRights.find((one) => one === right);
  if (!known) return [];
  return [{ right: known, cashierId: cashier_id.toLowerCase(), authorizedBy: authorized_by?.toLowerCase() ?? null }];
}

const isUuid = (value: unknown): value is string => typeof value === "string" && uuid.test(value);

/** A reference that cannot be read, or is too long to be one, costs nobody the payment. */
function readPayment({ payment_method, amount, reference }: Payment): Payment {
  const text = typeof reference === "string" ? Array.from(reference.trim()).slice(0, maxReferenceLength).join("") : "";
  return { payment_method: legibleMeans(payment_method), amount, ...(text !== "" && { reference: text }) };
}

function isTicketNumber(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) > 0 && (value as number) <= mostTickets;
}

function isPayment(value: unknown): value is Payment {
  const { payment_method, amount } = (value ?? {}) as Partial<Payment>;
  const isNamed = typeof payment_method === "string" && payment_method.length <= maxMethodLength;
  return isNamed && Number.isInteger(amount) && amount! >= 0 && amount! <= maxPesos;
}

export function checkBesideSale({ payments, isUnreadable }: BesideSale, total: number): Finding[] {
  if (isUnreadable) return [finding("payments", null, null, "Los medios de pago o la persona no se pueden leer.")];
  if (payments === null) return [];
  const sum = payments.reduce((all, { amount }) => all + amount, 0);
  return sum === total ? [] : [finding("payments", total, sum, "Los medios de pago no suman el total.")];
}
