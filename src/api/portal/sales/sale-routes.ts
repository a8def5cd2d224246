import { advisedIn } from "../../../access/people/membership.ts";
import type { Deps } from "../../../deps.ts";
import { ById } from "../../../engine/resources/fields.ts";
import { advised } from "../../../fiscal/findings/advice.ts";
import type { TypedApp } from "../../public/public-app.ts";
import type { Answers } from "../answers.ts";
import { type SaleRow, saleList } from "../lists/sales.ts";
import { pagesOf, type Reading, serveFile, serveRows } from "../tables/serve-list.ts";
import { meansColumns } from "./means-columns.ts";
import { readSale } from "./read-sale.ts";
import { readSaleChoices, readSales } from "./read-sales.ts";
import { readMeansUsed, readSaleTotals } from "./sale-totals.ts";

/** The owner's sales: the list with what it adds up to, and each sale with all that belongs to it. */
export function saleRoutes(app: TypedApp, deps: Deps): void {
  const { pool } = deps;
  const list = saleList();
  const reading: Reading<SaleRow, typeof list.filters> = {
    read: ({ accountId, query }, limit, after) =>
      readSales(pool, accountId, query, limit, { after, now: deps.clock.now() }),
    instantOf: ({ occurred_at }) => occurred_at,
    totals: ({ accountId, query }): Promise<Answers["GET /sales/totals"]> => readSaleTotals(pool, accountId, query),
  };
  serveRows(app, deps, list, reading);
  serveFile(app, deps, list, async (wanted) => ({
    columns: saleList(meansColumns(await readMeansUsed(pool, wanted.accountId, wanted.query))).columns,
    pages: pagesOf(reading, wanted),
  }));
  app.get(
    "/sales/choices",
    { config: { right: "sales:read" } },
    ({ session }): Promise<Answers["GET /sales/choices"]> =>
      readSaleChoices(pool, session.accountId, session.locationIds),
  );
  app.get(
    "/sales/:id",
    { config: { right: "sales:read" }, schema: { params: ById } },
    async ({ session, params }): Promise<Answers["GET /sales/:id"]> => {
      const sale = await readSale(deps, session.accountId, params.id.toLowerCase());
      return { ...sale, findings: advised(sale.findings, await advisedIn(pool, session)) };
    },
  );
}
