import type { Entry, StockPage } from "./protocol.ts";
import type { KeptSale } from "./sale.ts";

/** What the service last said about a product: how much is in each warehouse ("" for none), and how many uploads are in it. */
export interface KeptLevel {
  product_id: string;
  levels: Record<string, number>;
  acked: number;
}

/** How recent the levels are. They count the uploads of one enrolment: of another one they say nothing. */
export interface StockNews {
  device_id: string;
  cursor: string;
  /** Uploads that are in the levels of every product. */
  acked: number;
  /** The business's last change that is in them; null until all of them have come. */
  at: string | null;
  /** What `acked` and `at` become once all pages have come. */
  next: { acked: number; at: string } | null;
}

export function noNews(device_id: string): StockNews {
  return { device_id, cursor: "", acked: 0, at: null, next: null };
}

/** A later page may contain uploads that an earlier one lacks: what the first one contained holds for all. */
export function newsAfter(before: StockNews, { cursor, has_more, acked_seq, as_of }: StockPage): StockNews {
  const next = before.next ?? { acked: acked_seq, at: as_of };
  return has_more ? { ...before, cursor, next } : { ...before, cursor, ...next, next: null };
}

export function levelsIn({ levels, acked_seq }: StockPage): KeptLevel[] {
  const byProduct = new Map<string, KeptLevel>();
  for (const [product_id, warehouse, quantity] of levels) {
    const level = byProduct.get(product_id) ?? { product_id, levels: {}, acked: acked_seq };
    level.levels[warehouse ?? ""] = quantity;
    byProduct.set(product_id, level);
  }
  return [...byProduct.values()];
}

export interface Moved {
  device_seq: number;
  product_id: string;
  warehouse: string;
  quantity: number;
}

const outward = new Set(["sale", "out", "waste", "transfer_out"]);

/** What an upload of this register adds to the stock, or takes from it. */
export function movedBy({ device_seq, type, data }: Entry, saleOf: (id: string) => KeptSale | undefined): Moved[] {
  if (type === "stock_movement") {
    const movement = data as { product_id: string; warehouse_id: string | null; type: string; quantity: number };
    const { product_id, warehouse_id, quantity } = movement;
    const sign = outward.has(movement.type) ? -1 : 1;
    return [{ device_seq, product_id, warehouse: warehouse_id ?? "", quantity: sign * quantity }];
  }
  if (type !== "return") return [];
  const { sale_id, warehouse_id, lines } = data as {
    sale_id: string;
    warehouse_id: string | null;
    lines: { item_id: string; quantity: number }[];
  };
  const sale = saleOf(sale_id);
  return lines.flatMap(({ item_id, quantity }) => {
    const product_id = sale?.data.items.find(({ id }) => id === item_id)?.product_id;
    const hasStock = product_id && sale?.stocked.includes(item_id);
    return hasStock ? [{ device_seq, product_id, warehouse: warehouse_id ?? "", quantity }] : [];
  });
}

/** Sums of thousandths stay exact. */
export function rounded(quantity: number): number {
  return Math.round(quantity * 1000) / 1000;
}
