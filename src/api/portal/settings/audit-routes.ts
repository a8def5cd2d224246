import { readAudit } from "../../../access/accounts/read-audit.ts";
import type { Deps } from "../../../deps.ts";
import type { TypedApp } from "../../public/public-app.ts";
import { auditList } from "../lists/audit-log.ts";
import { serveList } from "../tables/serve-list.ts";

export function auditRoutes(app: TypedApp, deps: Deps): void {
  serveList(app, deps, auditList, {
    read: ({ accountId, query }, limit, after) =>
      readAudit(deps.pool, { accountId, filters: query, order: "newest", limit, after }),
    instantOf: ({ created_at }) => created_at,
  });
}
