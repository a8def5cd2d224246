import type { Deps } from "../../../deps.ts";
import { ById } from "../../../engine/resources/fields.ts";
import type { TypedApp } from "../../public/public-app.ts";
import type { Answers } from "../answers.ts";
import { pagedBy } from "../tables/paging.ts";
import { serveTable } from "../tables/send-table.ts";
import { keysetPages } from "../tables/table.ts";
import { saleColumns } from "./columns.ts";
import { SaleFilters, SaleListQuery } from "./filters.ts";
import { readSale } from "./read-sale.ts";
import { readSaleChoices, readSales, type SaleRow } from "./read-sales.ts";
import { readMeansUsed, readSaleTotals } from "./sale-totals.ts";

/** The owner's sales: the list with what it adds up to, and each sale with all that belongs to it. */
export function saleRoutes(app: TypedApp, deps: Deps): void {
  const { pool } = deps;
  app.get(
    "/sales",
    { schema: { querystring: SaleListQuery } },
    ({ session: { accountId }, query }): Promise<Answers["GET /sales"]> =>
      pagedBy(
        deps,
        { route: "sales", accountId, query },
        ({ occurred_at }) => occurred_at,
        (limit, after) => readSales(pool, accountId, query, limit, after),
      ),
  );
  app.get(
    "/sales/totals",
    { schema: { querystring: SaleFilters } },
    ({ session, query }): Promise<Answers["GET /sales/totals"]> => readSaleTotals(pool, session.accountId, query),
  );
  app.get(
    "/sales/choices",
    ({ session }): Promise<Answers["GET /sales/choices"]> => readSaleChoices(pool, session.accountId),
  );
  app.get(
    "/sales/:id",
    { schema: { params: ById } },
    ({ session, params }): Promise<Answers["GET /sales/:id"]> =>
      readSale(pool, session.accountId, params.id.toLowerCase()),
  );
  serveTable<SaleFilters>(app, deps, {
    path: "/tables/sales",
    query: SaleFilters,
    make: async ({ accountId, query }) => ({
      title: "Ventas",
      columns: saleColumns(await readMeansUsed(pool, accountId, query)),
      pages: keysetPages<SaleRow>((limit, last) =>
        readSales(pool, accountId, query, limit, last && { createdAt: last.occurred_at, id: last.id }),
      ),
    }),
  });
}
