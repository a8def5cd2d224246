import { limitToLeft, planReturn } from "../src/fiscal/returns/plan-return.ts";
import type { KeptReturn, KeptSale } from "./sale.ts";
import { type Shift, withMovement } from "./shift.ts";

/** Money that went back here although the portal or another register had given it back already: both were paid, and the sale allows one. */
export interface DoubledReturn {
  /** The sale's number in its shift. */
  number: number;
  returnId: string;
  amount: number;
  /** The portal had taken back all of it: the service counts no such return. */
  isWhole: boolean;
}

/**
 * What of this register's own returns the sale does not allow after what the portal took back. The service counts the portal's, and of
 * these what is left: so does this.
 */
export function doubledReturns(sale: KeptSale, fromPortal: readonly KeptReturn[]): DoubledReturn[] {
  const earlier: Pick<KeptReturn, "lines" | "tip_amount">[] = [...fromPortal];
  return (sale.returns ?? []).flatMap((own) => {
    const counted = countedOf(sale, earlier as KeptReturn[], own);
    if (counted) earlier.push(counted);
    const amount = own.total - (own.beyond ?? 0) - (counted?.total ?? 0);
    return amount > 0 ? [{ number: sale.number, returnId: own.id, amount, isWhole: !counted }] : [];
  });
}

function countedOf(sale: KeptSale, earlier: readonly KeptReturn[], own: KeptReturn): KeptReturn | undefined {
  const left = limitToLeft(sale.data, earlier, own.lines);
  const isWhole =
    left.length === own.lines.length && left.every(({ quantity }, i) => quantity === own.lines[i]?.quantity);
  // Nothing of it was given back twice; what it was worth when it was made stays.
  if (isWhole) return own;
  if (left.length === 0) return undefined;
  try {
    return { ...own, ...planReturn(sale.data, earlier, left) };
  } catch {
    // What cannot be returned in part the service refuses as well.
    return undefined;
  }
}

/** Remembered with the sale: it is settled once. */
export function withBeyond(sale: KeptSale, doubled: readonly DoubledReturn[]): KeptSale {
  const beyond = new Map(doubled.map(({ returnId, amount }) => [returnId, amount]));
  const returns = sale.returns?.map((one) => {
    const more = beyond.get(one.id);
    return more === undefined ? one : { ...one, beyond: (one.beyond ?? 0) + more };
  });
  return { ...sale, ...(returns && { returns }) };
}

/**
 * The service takes out of the shift what it counts as returned; the rest left the drawer all the same, so it is cash that went out. What
 * should be in the drawer stays as it was here.
 */
export function withDoubled(shift: Shift, { number, returnId, amount, isWhole }: DoubledReturn, at: Date): Shift {
  const moved = withMovement(shift, {
    id: returnId,
    type: "out",
    amount,
    reason: `Venta ${number} devuelta dos veces: aquí y en el portal o en otra caja`,
    created_by: null,
    occurred_at: at.toISOString(),
  });
  const { refunded = 0, doubled = { count: 0, amount: 0 } } = shift;
  return {
    ...{ ...moved, refunded: refunded - amount },
    doubled: { count: doubled.count + Number(isWhole), amount: doubled.amount + amount },
  };
}
