import type { TypedApp } from "../http/public-app.ts";
import { type ReadingDeps, sendList, sendOne } from "../http/reading.ts";
import { ById, listOf, NoQuery } from "../resources/fields.ts";
import { Quote, QuoteQuery } from "./schema.ts";
import { applyExpiry, quoteList, quotes } from "./store.ts";

const tags = ["Cotizaciones"];

export function quoteRoutes(app: TypedApp, deps: ReadingDeps): void {
  app.get(
    "/quotes",
    {
      config: { permission: "quotes:read", answers: listOf(Quote) },
      schema: { tags, summary: "Listar cotizaciones", querystring: QuoteQuery },
    },
    (request, reply) => sendList(deps, request, reply, quoteList),
  );
  app.get(
    "/quotes/:id",
    {
      config: { permission: "quotes:read", answers: Quote },
      schema: { tags, summary: "Leer una cotización", params: ById, querystring: NoQuery },
    },
    (request, reply) => sendOne(deps, request, reply, quotes, applyExpiry),
  );
}
