import type { KeptSale } from "./sale.ts";
import type { Row } from "./store.ts";

/** What stands in front: what the cashier marked, and how often each product was sold at this register. */
export interface Shelf {
  favourites: string[];
  sold: Record<string, number>;
}

export const emptyShelf: Shelf = { favourites: [], sold: {} };

/** What sold long ago counts for less and less: at this many sales all counts are halved. */
const halvedAt = 5_000;

export function withSold(shelf: Shelf, { data }: KeptSale): Shelf {
  const sold = { ...shelf.sold };
  for (const { product_id } of data.items) if (product_id) sold[product_id] = (sold[product_id] ?? 0) + 1;
  const sum = Object.values(sold).reduce((total, count) => total + count, 0);
  if (sum < halvedAt) return { ...shelf, sold };
  const halved = Object.entries(sold).flatMap(([id, count]) => (count > 1 ? [[id, Math.floor(count / 2)]] : []));
  return { ...shelf, sold: Object.fromEntries(halved) };
}

export function withFavourite(shelf: Shelf, productId: string): Shelf {
  const { favourites } = shelf;
  const isOne = favourites.includes(productId);
  return { ...shelf, favourites: isOne ? favourites.filter((id) => id !== productId) : [...favourites, productId] };
}

/** Those sold most often first. */
export function bestSellers({ sold }: Shelf, limit: number): string[] {
  return Object.keys(sold)
    .sort((a, b) => sold[b]! - sold[a]!)
    .slice(0, limit);
}

export function shelfRow(shelf: Shelf): Row {
  return { table: "meta", key: "shelf", value: shelf };
}
