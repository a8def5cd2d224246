import { Quote, QuoteQuery } from "../../business/quotes/schema.ts";
import { applyExpiry, quoteList, quotes } from "../../business/quotes/store.ts";
import { ById, listOf, NoQuery } from "../../engine/resources/fields.ts";
import type { TypedApp } from "./public-app.ts";
import { type ReadingDeps, sendList, sendOne } from "./reading.ts";

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
