import type { ListSpec } from "../http/reading.ts";
import { equal } from "../resources/filters.ts";
import { defineResource } from "../resources/resource.ts";
import { type Uploaded, uploadedColumns } from "../resources/uploaded.ts";
import type { CashSession, CashSessionQuery } from "./schema.ts";

export const cashSessions = defineResource<CashSession, Uploaded>({
  table: "cash_sessions",
  spanish: "un turno de caja",
  derived: { status: { type: "text", from: (body) => body.status } },
  private: uploadedColumns,
});

export const cashSessionList: ListSpec<CashSessionQuery> = {
  table: "cash_sessions",
  conditions: (query) => equal("status", query.status),
};
