import { bogotaDate, bogotaHour } from "../../taxes/bogota-time.ts";
import { keyOf, type Totals } from "./move-totals.ts";
import { nilUuid } from "./tables.ts";

/** What sales and returns have in common. */
interface Counted {
  occurred_at: string;
  payment_method: string;
  cash_session_id: string | null;
  total: number;
  tax: number;
  discount: number;
  tip_amount: number;
  tax_breakdown: readonly { code: string; rate: number | null; base: number; amount: number }[] | null;
}

interface Line {
  product_id: string | null;
  quantity: number;
  subtotal: number;
}

/** What a record adds to the totals of its hour, its products and its taxes. */
export function totalsOf(record: Counted, lines: readonly Line[], deviceId: string | null | undefined): Totals {
  const at = new Date(record.occurred_at);
  const day = bogotaDate(at);
  return {
    sold: [
      {
        day,
        hour: bogotaHour(at),
        device_id: deviceId ?? nilUuid,
        cash_session_id: record.cash_session_id ?? nilUuid,
        payment_method: keyOf(record.payment_method),
        tickets: 1,
        total: record.total,
        tax: record.tax,
        discount: record.discount,
        tip: record.tip_amount,
        returned: 0,
      },
    ],
    products: lines.map(({ product_id, quantity, subtotal }) => ({
      day,
      product_id: product_id ?? nilUuid,
      lines: 1,
      quantity: String(quantity),
      amount: subtotal,
    })),
    taxes: taxesOf(record).map(({ code, rate, base, amount }) => ({
      day,
      code: keyOf(code),
      rate: rate === null ? "" : String(rate),
      base,
      amount,
    })),
  };
}

function taxesOf({ tax_breakdown, tax, total, tip_amount }: Counted) {
  if (tax_breakdown !== null) return tax_breakdown;
  return tax === 0 ? [] : [{ code: "", rate: null, base: total - tip_amount - tax, amount: tax }];
}
