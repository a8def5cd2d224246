import { useQueries, useQuery } from "@tanstack/react-query";
import type { Answer } from "./answers.ts";
import { get } from "./api.ts";
import { pesos } from "./format.ts";
import { client } from "./queries.ts";

export type ListedProduct = Answer<"GET /products">["data"][number];
export type ProductDetail = Answer<"GET /products/:id">;
export type ShownWarehouse = Answer<"GET /warehouses/all">["data"][number];
export type Product = ProductDetail["product"];
export type ListedMovement = Answer<"GET /stock-movements">["data"][number];
export type Import = Answer<"GET /product-imports/:id">;

/** Choices change rarely; they are asked for once per visit. */
const choicesAgeMs = 60_000;

export function useCategories() {
  return useQuery({
    queryKey: ["categories"],
    queryFn: ({ signal }) => get<Answer<"GET /categories">>("/categories", signal),
    select: ({ data }) => data,
    staleTime: choicesAgeMs,
  });
}

/** What there is to choose from, and the names by their ids. */
export function namesOf(all: readonly { id: string; name: string }[] = []) {
  return {
    options: all.map(({ id, name }) => ({ value: id, label: name })),
    byId: new Map(all.map(({ id, name }) => [id, name])),
  };
}

/** What a plastic bag costs besides its price: "más $ 73 de impuesto a las bolsas"; undefined for anything else. */
export function useBagTaxText(taxClass: string): string | undefined {
  const perBag = useQuery({
    queryKey: ["bag-tax"],
    queryFn: ({ signal }) => get<Answer<"GET /bag-tax">>("/bag-tax", signal),
    enabled: taxClass === "bag",
    staleTime: choicesAgeMs,
  }).data?.per_bag;
  return taxClass === "bag" && perBag ? `más ${pesos(perBag)} de impuesto a las bolsas` : undefined;
}

export function useWarehouses() {
  return useQuery({
    queryKey: ["warehouses"],
    queryFn: ({ signal }) => get<Answer<"GET /warehouses">>("/warehouses", signal),
    select: ({ data }) => data,
    staleTime: choicesAgeMs,
  });
}

/** The closed ones too, with how many products they hold. */
export function useAllWarehouses() {
  return useQuery({
    queryKey: ["warehouses", "all"],
    queryFn: ({ signal }) => get<Answer<"GET /warehouses/all">>("/warehouses/all", signal),
    select: ({ data }) => data,
  });
}

export const refreshWarehouses = () => client.invalidateQueries({ queryKey: ["warehouses"] });

const productQuery = (id: string) => ({
  queryKey: ["product", id],
  queryFn: ({ signal }: { signal: AbortSignal }) => get<ProductDetail>(`/products/${id}`, signal),
});

export const useProduct = (id: string) => useQuery(productQuery(id));

/** What there is of some products in a warehouse, by their ids, as far as it is known already. */
export function useStockIn(warehouseId: string | null, ids: readonly string[]): ReadonlyMap<string, number> {
  const found = useQueries({ queries: ids.map(productQuery) });
  const known = found.flatMap(({ data }) => (data ? [data] : []));
  const here = ({ warehouses }: ProductDetail) => warehouses.find(({ warehouse_id }) => warehouse_id === warehouseId);
  return new Map(known.map((detail) => [detail.product.id, here(detail)?.stock ?? 0]));
}

/** After a change of products or stock: every list, total and detail that shows it. */
export const refreshStock = () =>
  Promise.all(
    [
      ["product"],
      ["prices"],
      ["categories"],
      ["totals"],
      ["start"],
      ["warehouses"],
      ["list", "/products"],
      ["list", "/stock-movements"],
    ].map((queryKey) => client.invalidateQueries({ queryKey })),
  );
