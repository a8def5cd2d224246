import { Sale, SaleQuery } from "../../business/sales/schema.ts";
import { saleList, sales } from "../../business/sales/store.ts";
import { ById, listOf, NoQuery } from "../../engine/resources/fields.ts";
import type { TypedApp } from "./public-app.ts";
import { type ReadingDeps, sendList, sendOne } from "./reading.ts";

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
