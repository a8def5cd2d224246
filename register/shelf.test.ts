import { expect, test } from "vitest";
import type { KeptSale } from "./sale.ts";
import { bestSellers, emptyShelf, withFavourite, withSold } from "./shelf.ts";

const saleOf = (...ids: string[]) => ({ data: { items: ids.map((product_id) => ({ product_id })) } }) as KeptSale;

test("what sells most comes first, and a favourite is taken out by marking it again", () => {
  const shelf = [["a"], ["b", "a"], ["b"], ["b", "c"]].reduce((one, ids) => withSold(one, saleOf(...ids)), emptyShelf);
  expect(bestSellers(shelf, 2)).toEqual(["b", "a"]);
  const marked = withFavourite(shelf, "c");
  expect(marked.favourites).toEqual(["c"]);
  expect(withFavourite(marked, "c").favourites).toEqual([]);
});

test("what sold long ago counts for less and less", () => {
  let shelf = emptyShelf;
  for (let i = 0; i < 4_000; i++) shelf = withSold(shelf, saleOf("former"));
  for (let i = 0; i < 3_000; i++) shelf = withSold(shelf, saleOf("current"));
  expect(bestSellers(shelf, 2)).toEqual(["current", "former"]);
  expect(Object.values(shelf.sold).reduce((sum, one) => sum + one, 0)).toBeLessThan(5_000);
});
