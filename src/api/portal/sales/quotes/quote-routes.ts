import { quotes } from "../../../../business/quotes/resource.ts";
import type { Quote } from "../../../../business/quotes/schema.ts";
import type { ServedDeps } from "../../../../deps.ts";
import { ById } from "../../../../engine/resources/fields.ts";
import type { TypedApp } from "../../../public/public-app.ts";
import type { Answers } from "../../answers.ts";
import { paged } from "../../tables/paging.ts";
import { recordPages } from "../../tables/record-pages.ts";
import { serveTable } from "../../tables/send-table.ts";
import { quoteColumns } from "./columns.ts";
import { QuoteFilters, QuoteListQuery } from "./filters.ts";
import { quoteNamed, readQuote, readQuotes, readQuoteTotals } from "./read-quotes.ts";

/** Quotes, which registers make and change: the owner reads them. */
export function quoteRoutes(app: TypedApp, deps: ServedDeps): void {
  app.get(
    "/quotes",
    { schema: { querystring: QuoteListQuery } },
    ({ session: { accountId }, query }): Promise<Answers["GET /quotes"]> =>
      paged(deps, { route: "quotes", accountId, query }, (limit, after) =>
        readQuotes(deps, accountId, query, limit, after),
      ),
  );
  app.get(
    "/quotes/totals",
    { schema: { querystring: QuoteFilters } },
    ({ session: { accountId }, query }): Promise<Answers["GET /quotes/totals"]> =>
      readQuoteTotals(deps, accountId, query),
  );
  app.get(
    "/quotes/:id",
    { schema: { params: ById } },
    ({ session: { accountId }, params }): Promise<Answers["GET /quotes/:id"]> =>
      readQuote(deps, accountId, params.id.toLowerCase()),
  );
  serveTable<QuoteFilters>(app, deps, {
    path: "/tables/quotes",
    query: QuoteFilters,
    make: ({ accountId, query }) => ({
      title: "Cotizaciones",
      columns: quoteColumns,
      pages: recordPages<Quote>(deps, accountId, quotes, query, quoteNamed(query.q)),
    }),
  });
}
