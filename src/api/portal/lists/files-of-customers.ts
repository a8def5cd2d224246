/** The files that say who the customers are: before them the second step is asked for again (guarded-routes.ts). */
export const filesOfCustomers: ReadonlySet<string | undefined> = new Set([
  "/tables/customers",
  "/tables/sales",
  "/tables/quotes",
]);
