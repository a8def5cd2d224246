import { bogotaDate, bogotaHour } from "../../taxes/bogota-time.ts";
import { mainPart, passthroughOf, paymentParts, salesIn } from "./definition.ts";
import { keyOf, negated, type SoldRow, type Totals } from "./move-totals.ts";
import { nilUuid } from "./tables.ts";

/** What sales and what takes them back have in common. */
export interface Counted {
  occurred_at: string;
  payment_method: string;
  cash_session_id: string | null;
  total: number;
  tax: number;
  discount: number;
  tip_amount: number;
  /** Absent or the account's id for the first sede. */
  location_id?: string | undefined;
  tax_breakdown: readonly { code: string; rate: number | null; base: number; amount: number }[] | null;
}

export interface CountedLine {
  product_id: string | null;
  quantity: number;
  subtotal: number;
  tax_class: string;
}

/** What is known beside the published record. */
interface Beside {
  device_id?: string | null | undefined;
  payments?: string | null | undefined;
}

/** What a record adds to the totals of its hour, its means of payment, its products and its taxes. */
export function totalsOf(record: Counted, lines: readonly CountedLine[], beside: Beside): Totals {
  const at = new Date(record.occurred_at);
  const day = bogotaDate(at);
  const { location_id } = record;
  return {
    sold: soldRows(record, passthroughOf(lines), beside, { day, hour: bogotaHour(at) }),
    products: lines.map(({ product_id, quantity, subtotal }) => ({
      day,
      location_id,
      product_id: product_id ?? nilUuid,
      lines: 1,
      quantity: String(quantity),
      amount: subtotal,
    })),
    taxes: taxesOf(record).map(({ code, rate, base, amount }) => ({
      day,
      location_id,
      code: keyOf(code),
      rate: rate === null ? "" : String(rate),
      base,
      amount,
    })),
  };
}

/** What a return or a cancellation takes off, on its own day; the sale keeps its ticket and its lines. */
export function totalsTakenBack(record: Counted, lines: readonly CountedLine[], beside: Beside): Totals {
  const { sold, products, taxes } = negated(totalsOf(record, lines, beside));
  const returned = salesIn({ total: record.total, tip: record.tip_amount, passthrough: passthroughOf(lines) });
  return {
    // The row with the ticket has what a record has once.
    sold: sold.map((row) => ({ ...row, returned: row.tickets === 0 ? 0 : returned, tickets: 0, payments: 0 })),
    products: products.map((row) => ({ ...row, lines: 0 })),
    taxes,
  };
}

function soldRows(
  record: Counted,
  passthrough: number,
  { device_id, payments }: Beside,
  when: Pick<SoldRow, "day" | "hour">,
): SoldRow[] {
  const parts = paymentParts(record, payments);
  const main = mainPart(parts, record.payment_method);
  const { tax, discount, tip_amount: tip, cash_session_id, location_id } = record;
  return parts.map(({ payment_method, amount }, i) => ({
    ...when,
    location_id,
    device_id: device_id ?? nilUuid,
    cash_session_id: cash_session_id ?? nilUuid,
    payment_method: keyOf(payment_method),
    payments: 1,
    total: amount,
    returned: 0,
    ...(i === main ? { tickets: 1, tax, discount, tip, passthrough } : rest),
  }));
}

const rest = { tickets: 0, tax: 0, discount: 0, tip: 0, passthrough: 0 };

function taxesOf({ tax_breakdown, tax, total, tip_amount }: Counted) {
  if (tax_breakdown !== null) return tax_breakdown;
  return tax === 0 ? [] : [{ code: "", rate: null, base: total - tip_amount - tax, amount: tax }];
}
