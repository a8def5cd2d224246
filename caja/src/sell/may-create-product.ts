import type { Cashier } from "../../../register/cashiers.ts";

/** Whether she may make a product of a code that nobody knows. A business without cashiers allows everything. */
export function mayCreateProduct(cashier: Cashier | undefined): boolean {
  const granted: readonly string[] | undefined = cashier?.permissions;
  return granted === undefined || granted.includes("create_product");
}
