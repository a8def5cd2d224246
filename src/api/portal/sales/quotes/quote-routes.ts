import { quotes } from "../../../../business/quotes/resource.ts";
import type { Quote } from "../../../../business/quotes/schema.ts";
import type { ServedDeps } from "../../../../deps.ts";
import { ById } from "../../../../engine/resources/fields.ts";
import { atLocations } from "../../../../engine/resources/placed.ts";
import type { TypedApp } from "../../../public/public-app.ts";
import type { Answers } from "../../answers.ts";
import { quoteList } from "../../lists/quotes.ts";
import { recordPages } from "../../tables/record-pages.ts";
import { serveFile, serveRows } from "../../tables/serve-list.ts";
import { quoteNamed, readQuote, readQuotes, readQuoteTotals } from "./read-quotes.ts";

/** Quotes, which registers make and change: the owner reads them. */
export function quoteRoutes(app: TypedApp, deps: ServedDeps): void {
  serveRows(app, deps, quoteList, {
    read: ({ accountId, query }, limit, after) => readQuotes(deps, accountId, query, limit, after),
    instantOf: ({ created_at }) => created_at,
    totals: ({ accountId, query }): Promise<Answers["GET /quotes/totals"]> => readQuoteTotals(deps, accountId, query),
  });
  serveFile(app, deps, quoteList, ({ accountId, query }) => ({
    columns: quoteList.columns,
    pages: recordPages<Quote>(deps, accountId, quotes, query, [
      ...quoteNamed(query.q),
      ...atLocations(query.location_ids ?? null, accountId),
    ]),
  }));
  app.get(
    "/quotes/:id",
    { config: { right: "sales:read" }, schema: { params: ById } },
    ({ session: { accountId }, params }): Promise<Answers["GET /quotes/:id"]> =>
      readQuote(deps, accountId, params.id.toLowerCase()),
  );
}
