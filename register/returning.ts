import { type PlannedReturn, planReturn, type WantedLine } from "../src/fiscal/returns/plan-return.ts";
import type { Catalog } from "./catalog.ts";
import type { Draft } from "./protocol.ts";
import { readReturn } from "./read-sales.ts";
import type { KeptReturn, KeptSale } from "./sale.ts";

/** These sales with what the portal took back of them, as far as it came down: nobody gives that back once more. */
export function returnedInPortal(sales: readonly KeptSale[], catalog: Pick<Catalog, "all">): KeptSale[] {
  const bySale = Map.groupBy(catalog.all("return"), ({ sale_id }) => sale_id as string);
  return sales.map((sale) => {
    const known = new Set(sale.returns?.map(({ id }) => id));
    const others = (bySale.get(sale.id) ?? []).flatMap((one) => (known.has(one.id) ? [] : (readReturn(one) ?? [])));
    return others.length === 0 ? sale : { ...sale, returns: [...(sale.returns ?? []), ...others] };
  });
}

/** What the portal took back of a sale, as far as it came down. */
export function portalReturnsOf({ id }: Pick<KeptSale, "id">, catalog: Pick<Catalog, "all">): KeptReturn[] {
  return catalog.all("return").flatMap((one) => (one.sale_id === id ? (readReturn(one) ?? []) : []));
}

/** What this register took back of a sale. */
export function ownReturns({ returns = [] }: Pick<KeptSale, "returns">, catalog: Pick<Catalog, "get">): KeptReturn[] {
  return returns.filter(({ id }) => catalog.get("return", id) === undefined);
}

/** What a return of these lines gives back, exactly as the server will compute it. Throws what is wrong with it. */
export function planOf(sale: KeptSale, wanted: readonly WantedLine[]): PlannedReturn {
  return planReturn(sale.data, sale.returns ?? [], wanted);
}

/** How much of each line can still be returned, by its id. */
export function leftOf(sale: KeptSale): Map<string, number> {
  const returned = (sale.returns ?? []).flatMap(({ lines }) => lines);
  return new Map(
    sale.data.items.map(({ id, quantity }) => {
      const back = returned.filter(({ item_id }) => item_id === id).reduce((sum, line) => sum + line.quantity, 0);
      return [id, Math.max(0, Math.round((quantity - back) * 1e6) / 1e6)];
    }),
  );
}

/** The server issues the note, brings the stock back and takes the cash out of the shift, all from this one record. */
export function returnDraft(sale: KeptSale, made: KeptReturn, shiftId: string, warehouseId: string | null): Draft {
  const { id, lines, payment_method, reason, total, occurred_at } = made;
  const data = {
    sale_id: sale.id,
    lines: lines.map(({ item_id, quantity }) => ({ item_id, quantity })),
    payment_method,
    cash_session_id: shiftId,
    warehouse_id: warehouseId,
    reason,
    total,
    occurred_at,
  };
  return { type: "return", id, data };
}
