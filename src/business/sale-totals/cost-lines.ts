import { bogotaDate } from "../../taxes/bogota-time.ts";
import { passthroughOf } from "./definition.ts";
import { nilUuid } from "./tables.ts";
import type { Counted, CountedLine } from "./totals-of.ts";

/** What a record says of one product: how much was sold or taken back, and for how much without taxes. */
export interface CostLine {
  record_id: string;
  kind: CostKind;
  product_id: string;
  sale_id: string;
  us: number;
  day: string;
  location_id: string | null;
  cash_session_id: string | null;
  customer_id: string | null;
  lines: number;
  milli: number;
  net: number;
}

export const costKinds = ["sale", "return", "cancellation", "correction"] as const;
export type CostKind = (typeof costKinds)[number];

interface SoldLine extends CountedLine {
  taxes?: readonly { amount: number }[] | null;
}

export interface CostRecord {
  id: string;
  kind: CostKind;
  sale_id: string;
  customer_id?: string | null;
  body: Counted;
  lines: readonly SoldLine[];
}

const isSold = ({ tax_class, subtotal }: SoldLine) => passthroughOf([{ tax_class, subtotal }]) === 0;

/**
 * A record by products: what lines collect for third parties is no sale. What is without taxes and tips is shared among the lines as they
 * are worth, so that the lines of any records add up to their net sales without taxes, to the peso.
 */
export function costLinesOf({ id, kind, sale_id, customer_id = null, body, lines }: CostRecord): CostLine[] {
  const sign = kind === "sale" ? 1 : -1;
  const sold = lines.filter(isSold);
  const nets = netsOf(body, lines, sold);
  const at = new Date(body.occurred_at);
  const own = {
    ...{ record_id: id, kind, sale_id, us: at.getTime() * 1000, day: bogotaDate(at) },
    ...{ location_id: body.location_id ?? null, cash_session_id: body.cash_session_id, customer_id },
  };
  const byProduct = new Map<string, CostLine>();
  // Money of no line is of no product.
  const all = sold.length > 0 ? sold : [{ product_id: null, quantity: 0 }];
  for (const [i, { product_id, quantity }] of all.entries()) {
    const key = product_id ?? nilUuid;
    const row = byProduct.get(key) ?? { ...own, product_id: key, lines: 0, milli: 0, net: 0 };
    row.lines += sold.length > 0 && kind === "sale" ? 1 : 0;
    row.milli += sign * Math.round(quantity * 1000);
    row.net += sign * (nets[i] ?? 0);
    byProduct.set(key, row);
  }
  return [...byProduct.values()].filter(({ lines: some, milli, net }) => some !== 0 || milli !== 0 || net !== 0);
}

/** Each line's share of what the record is worth without taxes; the pesos that are left over go to the largest. */
function netsOf(body: Counted, lines: readonly SoldLine[], sold: readonly SoldLine[]): number[] {
  const { total, tip_amount, tax } = body;
  const net = total - tip_amount - passthroughOf(lines) - tax;
  if (sold.length === 0) return [net];
  const gross = sold.reduce((sum, { subtotal }) => sum + subtotal, 0);
  const kept = gross === 0 ? 0 : (gross - discountOf(body, lines, gross)) / gross;
  const worth = sold.map(({ subtotal, taxes }) => subtotal * kept - sumOf(taxes ?? []));
  const isTold = sold.some(({ taxes }) => (taxes ?? []).length > 0) || tax === 0;
  const shares = (isTold ? worth : sold.map(({ subtotal }) => (gross === 0 ? 0 : (net * subtotal) / gross))).map(
    Math.round,
  );
  const largest = shares.reduce((most, share, i) => (Math.abs(share) > Math.abs(shares[most] ?? 0) ? i : most), 0);
  const rest = net - shares.reduce((sum, share) => sum + share, 0);
  return shares.map((share, i) => (i === largest ? share + rest : share));
}

/** A record of many kinds may say a discount that its lines have taken off already: then nothing more is taken off them. */
function discountOf({ total, tip_amount, discount }: Counted, lines: readonly SoldLine[], gross: number): number {
  return total - tip_amount - passthroughOf(lines) === gross ? 0 : discount;
}

function sumOf(taxes: readonly { amount: number }[]): number {
  return taxes.reduce((sum, { amount }) => sum + amount, 0);
}
