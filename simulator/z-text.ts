import { paymentName } from "../src/taxes/means.ts";
import { grouped, instantText, money, rateText } from "../src/taxes/words.ts";

interface Tax {
  code: string;
  rate: number | null;
  per_unit: number | null;
  base: number;
  amount: number;
}

/** The taxes of a shift, by rate. */
export type TaxSums = Map<string, Tax>;

export function addTaxes(sums: TaxSums, breakdown: unknown): void {
  for (const tax of breakdown as readonly Tax[]) {
    const key = `${tax.code} ${tax.rate} ${tax.per_unit}`;
    const before = sums.get(key);
    sums.set(key, { ...tax, base: (before?.base ?? 0) + tax.base, amount: (before?.amount ?? 0) + tax.amount });
  }
}

/** A closed shift as its register uploads it. */
export interface ClosedShift {
  register_name: string;
  opened_at: string;
  closed_at: string;
  opening_amount: number;
  cash_sales: number;
  cash_refunds?: number;
  cash_out: number;
  expected_amount: number;
  counted_amount: number;
  sales_count: number;
  sales_total: number;
  payments: { payment_method: string; count: number; amount: number }[];
}

const columns = 40;

/** What the register's printer puts out when a shift closes, 40 characters wide. */
export function zText(shift: ClosedShift, taxes: TaxSums): string {
  const row = (label: string, value: string) =>
    `${label.slice(0, columns - value.length - 1).padEnd(columns - value.length)}${value}`;
  const rule = "-".repeat(columns);
  return [
    `INFORME Z · ${shift.register_name}`,
    row("Desde", instantText(shift.opened_at)),
    row("Hasta", instantText(shift.closed_at)),
    rule,
    ...shift.payments.map((one) =>
      row(`${paymentName(one.payment_method)} (${grouped(one.count)})`, money(one.amount)),
    ),
    row(`VENTAS (${grouped(shift.sales_count)})`, money(shift.sales_total)),
    rule,
    ...[...taxes.values()].map((tax) => row(`${rateText(tax)} sobre ${grouped(tax.base)}`, money(tax.amount))),
    rule,
    row("Base de apertura", money(shift.opening_amount)),
    row("Ventas en efectivo", money(shift.cash_sales)),
    row("Devuelto en efectivo", money(-(shift.cash_refunds ?? 0))),
    row("Salidas", money(-shift.cash_out)),
    row("Esperado", money(shift.expected_amount)),
    row("Contado", money(shift.counted_amount)),
    row("DIFERENCIA", money(shift.counted_amount - shift.expected_amount)),
  ].join("\n");
}
