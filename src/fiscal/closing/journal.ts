import type { CashSession } from "../../business/cash-sessions/schema.ts";
import type { AccountingCodes } from "./accounting-codes.ts";
import type { Figures } from "./figures.ts";

/** One line of the day's journal: either its debit or its credit is 0. */
export interface JournalEntry {
  account: string;
  detail: string;
  debit: number;
  credit: number;
}

/** The figures from which the journal of a day is made. */
export interface Journalled {
  sales: Figures;
  returns: Figures;
  sessions: readonly Pick<CashSession, "register_name" | "cash_in" | "cash_out" | "difference">[];
}

/** How entries name a means of payment and a rate. */
export interface JournalWords {
  payment: (method: string) => string;
  tax: (tax: { code: string; rate: number | null; per_unit: number | null }) => string;
}

/** The day in double entry. Debits equal credits whatever the figures: each movement is written with its counterpart. */
export function journalOf(
  { sales, returns, sessions }: Journalled,
  codes: AccountingCodes,
  words: JournalWords,
): JournalEntry[] {
  const entries: JournalEntry[] = [];
  const debit = (account: string, detail: string, amount: number) => entries.push(entryOf(account, detail, amount));
  const credit = (account: string, detail: string, amount: number) => entries.push(entryOf(account, detail, -amount));

  for (const { payment_method, amount } of sales.payments)
    debit(paymentAccount(codes, payment_method), `Ventas: ${words.payment(payment_method)}`, amount);
  for (const part of partsOf(sales, codes, words)) credit(part.account, part.detail, part.amount);

  for (const { payment_method, amount } of returns.payments)
    credit(paymentAccount(codes, payment_method), `Devoluciones: ${words.payment(payment_method)}`, amount);
  for (const part of partsOf(returns, codes, words))
    debit(part.isIncome ? codes.returns : part.account, `Devoluciones: ${part.detail}`, part.amount);

  const cash = paymentAccount(codes, "CASH");
  for (const { register_name, cash_in, cash_out, difference } of sessions) {
    const both = (against: string, detail: string, amount: number) => {
      debit(cash, `${detail}, ${register_name}`, amount);
      credit(against, `${detail}, ${register_name}`, amount);
    };
    both(codes.cash_in, "Entradas de caja", cash_in);
    both(codes.cash_out, "Salidas de caja", -cash_out);
    const isShort = (difference ?? 0) < 0;
    both(
      isShort ? codes.cash_shortage : codes.cash_surplus,
      isShort ? "Faltante de caja" : "Sobrante de caja",
      difference ?? 0,
    );
  }
  return entries.filter((entry) => entry.debit !== 0 || entry.credit !== 0);
}

interface Part {
  account: string;
  detail: string;
  amount: number;
  isIncome: boolean;
}

/** Splits what was paid by account. The last part is the remainder, so the parts always add up to the payment. */
function partsOf(figures: Figures, codes: AccountingCodes, words: JournalWords): Part[] {
  const paid = figures.payments.reduce((sum, { amount }) => sum + amount, 0);
  const parts: Part[] = [];
  for (const tax of figures.taxes) {
    const { code, rate, base, amount } = tax;
    parts.push({ account: own(codes.taxes, code) ?? codes.other_tax, detail: words.tax(tax), amount, isIncome: false });
    if (rate !== null)
      parts.push({
        account: own(codes.income, `${code}:${rate}`) ?? codes.other_income,
        detail: `Ventas con ${words.tax(tax)}`,
        amount: base,
        isIncome: true,
      });
  }
  parts.push({ account: codes.tips, detail: "Propinas", amount: figures.tip, isIncome: false });
  parts.push({
    account: codes.third_parties,
    detail: "Recaudos para terceros",
    amount: figures.passthrough,
    isIncome: false,
  });
  // Sales that say how much tax they have, but not which tax.
  const unnamed = figures.tax - figures.taxes.reduce((sum, { amount }) => sum + amount, 0);
  parts.push({ account: codes.other_tax, detail: "Impuestos sin detalle", amount: unnamed, isIncome: false });
  const rest = paid - parts.reduce((sum, { amount }) => sum + amount, 0);
  parts.push({
    account: own(codes.income, "untaxed") ?? codes.other_income,
    detail: "Ventas excluidas o sin impuesto",
    amount: rest,
    isIncome: true,
  });
  return parts;
}

function paymentAccount(codes: AccountingCodes, method: string): string {
  return own(codes.payments, method) ?? codes.other_payment;
}

/** An own property only: a register may call a means of payment "constructor". */
function own(record: Record<string, string>, name: string): string | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/** A negative debit is a credit. */
function entryOf(account: string, detail: string, amount: number): JournalEntry {
  return { account, detail, debit: Math.max(0, amount), credit: Math.max(0, -amount) };
}
