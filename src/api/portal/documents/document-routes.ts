import type { Deps } from "../../../deps.ts";
import { ById } from "../../../engine/resources/fields.ts";
import type { TypedApp } from "../../public/public-app.ts";
import type { Answers } from "../answers.ts";
import { documentList, unissuedList } from "../lists/documents.ts";
import { serveList } from "../tables/serve-list.ts";
import { readDocument } from "./read-document.ts";
import { readDocuments, readDocumentTotals } from "./read-documents.ts";
import { readUnissued } from "./unissued-documents.ts";

/** All documents of the business, and those that need attention. */
export function documentRoutes(app: TypedApp, deps: Deps): void {
  const { pool, config } = deps;
  serveList(app, deps, documentList, {
    read: ({ accountId, query }, limit, after) => readDocuments(pool, accountId, query, limit, after),
    instantOf: ({ issued_at }) => issued_at,
    totals: ({ accountId, query }): Promise<Answers["GET /invoices/totals"]> =>
      readDocumentTotals(pool, accountId, query),
  });
  serveList(app, deps, unissuedList, {
    read: ({ accountId, query: { location_ids: locationIds = null } }, limit, after) =>
      readUnissued(pool, accountId, { limit, after, locationIds }),
    instantOf: ({ created_at }) => created_at,
  });
  app.get(
    "/invoices/:id",
    { config: { right: "documents:read" }, schema: { params: ById } },
    ({ session, params }): Promise<Answers["GET /invoices/:id"]> =>
      readDocument(pool, config, session.accountId, params.id.toLowerCase()),
  );
}
