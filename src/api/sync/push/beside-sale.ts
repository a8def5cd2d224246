import { type Finding, finding } from "../../../fiscal/findings/finding.ts";

/** What a register sends beside a sale or a return: its means of payment and who rang it up. */
export interface BesideSale {
  payments: Payment[] | null;
  cashierId: string | null;
  /** Something was sent that cannot be read. It is left out and reported; the sale counts. */
  isUnreadable: boolean;
}

interface Payment {
  payment_method: string;
  amount: number;
}

const maxPayments = 20;
const maxMethodLength = 40;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function readBesideSale(raw: Record<string, unknown>): BesideSale {
  const { payments = null, cashier_id = null } = raw;
  const isList = Array.isArray(payments) && payments.length <= maxPayments && payments.every(isPayment);
  const isId = typeof cashier_id === "string" && uuid.test(cashier_id);
  return {
    payments: isList ? payments.map(({ payment_method, amount }) => ({ payment_method, amount })) : null,
    cashierId: isId ? cashier_id.toLowerCase() : null,
    isUnreadable: (payments !== null && !isList) || (cashier_id !== null && !isId),
  };
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
