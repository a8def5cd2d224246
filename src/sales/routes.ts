import type { TypedApp } from "../http/public-app.ts";
import { type ReadingDeps, sendList, sendOne } from "../http/reading.ts";
import { ById, listOf, NoQuery } from "../resources/fields.ts";
import { Sale, SaleQuery } from "./schema.ts";
import { saleList, sales } from "./store.ts";

const tags = ["Ventas"];

export function saleRoutes(app: TypedApp, deps: ReadingDeps): void {
  app.get(
    "/sales",
    {
      config: { permission: "sales:read", answers: listOf(Sale) },
      schema: { tags, summary: "Listar ventas", querystring: SaleQuery },
    },
    (request, reply) => sendList(deps, request, reply, saleList),
  );
  app.get(
    "/sales/:id",
    {
      config: { permission: "sales:read", answers: Sale },
      schema: { tags, summary: "Leer una venta", params: ById, querystring: NoQuery },
    },
    (request, reply) => sendOne(deps, request, reply, sales),
  );
}
