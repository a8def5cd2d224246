import type { Deps } from "../../../deps.ts";
import { ById, NoQuery } from "../../../engine/resources/fields.ts";
import type { TypedApp } from "../../public/public-app.ts";
import type { Answers } from "../answers.ts";
import { pagedBy } from "../tables/paging.ts";
import { serveTable } from "../tables/send-table.ts";
import { keysetPages } from "../tables/table.ts";
import { documentColumns, unissuedColumns } from "./columns.ts";
import { DocumentFilters, DocumentListQuery } from "./filters.ts";
import { readDocument } from "./read-document.ts";
import { type DocumentRow, readDocuments, readDocumentTotals } from "./read-documents.ts";
import { readUnissued, type UnissuedDocument } from "./unissued-documents.ts";

/** All documents of the business. Those that need attention are also `/invoices/unissued`. */
export function documentRoutes(app: TypedApp, deps: Deps): void {
  const { pool, config } = deps;
  app.get(
    "/invoices",
    { schema: { querystring: DocumentListQuery } },
    ({ session: { accountId }, query }): Promise<Answers["GET /invoices"]> =>
      pagedBy(
        deps,
        { route: "invoices", accountId, query },
        ({ issued_at }) => issued_at,
        (limit, after) => readDocuments(pool, accountId, query, limit, after),
      ),
  );
  app.get(
    "/invoices/totals",
    { schema: { querystring: DocumentFilters } },
    ({ session, query }): Promise<Answers["GET /invoices/totals"]> =>
      readDocumentTotals(pool, session.accountId, query),
  );
  app.get(
    "/invoices/:id",
    { schema: { params: ById } },
    ({ session, params }): Promise<Answers["GET /invoices/:id"]> =>
      readDocument(pool, config.environment, session.accountId, params.id.toLowerCase()),
  );
  serveTable(app, deps, {
    path: "/tables/unissued",
    query: NoQuery,
    make: ({ accountId }) => ({
      title: "Documentos por atender",
      columns: unissuedColumns,
      pages: keysetPages<UnissuedDocument>((limit, last) =>
        readUnissued(pool, accountId, limit, last && { createdAt: last.created_at, id: last.id }),
      ),
    }),
  });
  serveTable<DocumentFilters>(app, deps, {
    path: "/tables/invoices",
    query: DocumentFilters,
    make: ({ accountId, query }) => ({
      title: "Documentos",
      columns: documentColumns,
      pages: keysetPages<DocumentRow>((limit, last) =>
        readDocuments(pool, accountId, query, limit, last && { createdAt: last.issued_at, id: last.id }),
      ),
    }),
  });
}
