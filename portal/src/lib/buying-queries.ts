import { useQuery } from "@tanstack/react-query";
import type { Answer } from "./answers.ts";
import { get } from "./api.ts";
import { client } from "./queries.ts";
import { refreshStock } from "./stock-queries.ts";

export type SupplierDetail = Answer<"GET /suppliers/:id">;
export type Supplier = SupplierDetail["supplier"];
export type PurchaseDetail = Answer<"GET /purchases/:id">;
export type Purchase = PurchaseDetail["purchase"];
export type PurchaseLine = Purchase["lines"][number];

export function useSupplier(id: string | null) {
  return useQuery({
    enabled: id !== null,
    queryKey: ["supplier", id],
    queryFn: ({ signal }) => get<SupplierDetail>(`/suppliers/${id}`, signal),
    retry: false,
  });
}

export function usePurchase(id: string | undefined) {
  return useQuery({
    enabled: id !== undefined,
    queryKey: ["purchase", id],
    queryFn: ({ signal }) => get<PurchaseDetail>(`/purchases/${id}`, signal),
  });
}

/** After a purchase was made, changed or received: what shows it, and what it moved. */
export const refreshPurchases = () =>
  Promise.all([
    refreshStock(),
    ...[["purchase"], ["supplier"], ["list", "/purchases"], ["list", "/payables"]].map((queryKey) =>
      client.invalidateQueries({ queryKey }),
    ),
  ]);

export const refreshSuppliers = () =>
  Promise.all(
    [["supplier"], ["supplier-choice"], ["list", "/records/suppliers"]].map((queryKey) =>
      client.invalidateQueries({ queryKey }),
    ),
  );

/** In thousandths, as quantities are kept. */
export const rounded = (quantity: number): number => Math.round(quantity * 1000) / 1000;

/** Of a line, what may still come. */
export const awaited = ({ quantity, received }: PurchaseLine): number => rounded(quantity - received);
/** Of a line, what is here and may go back. */
export const here = ({ received, returned }: PurchaseLine): number => rounded(received - returned);
