import { Invoice, InvoiceQuery } from "../../business/invoices/schema.ts";
import { invoiceList, invoices } from "../../business/invoices/store.ts";
import { ById, listOf, NoQuery } from "../../engine/resources/fields.ts";
import type { TypedApp } from "./public-app.ts";
import { type ReadingDeps, sendList, sendOne } from "./reading.ts";

const tags = ["Documentos"];

export function invoiceRoutes(app: TypedApp, deps: ReadingDeps): void {
  app.get(
    "/invoices",
    {
      config: { permission: "invoices:read", answers: listOf(Invoice) },
      schema: { tags, summary: "Listar documentos", querystring: InvoiceQuery },
    },
    (request, reply) => sendList(deps, request, reply, invoiceList),
  );
  app.get(
    "/invoices/:id",
    {
      config: { permission: "invoices:read", answers: Invoice },
      schema: { tags, summary: "Leer un documento", params: ById, querystring: NoQuery },
    },
    (request, reply) => sendOne(deps, request, reply, invoices),
  );
}
