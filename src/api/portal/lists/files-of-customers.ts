/**
 * The files that say who the customers are, in either format: before them the second step is asked for again (guarded-routes.ts), and
 * pages ask before they open one.
 */
const files = ["customers", "sales", "quotes", "orders", "invoices"] as const;

export const filesOfCustomers: ReadonlySet<string | undefined> = new Set(files.map((name) => `/tables/${name}`));
