import { equal } from "../../engine/resources/filters.ts";
import type { ListSpec } from "../../engine/resources/list-spec.ts";
import { defineResource } from "../../engine/resources/resource.ts";
import { type Uploaded, uploadedColumns } from "../../engine/resources/uploaded.ts";
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
