import { equal } from "../../engine/resources/filters.ts";
import { type OwnedColumns, ownedColumnTypes } from "../../engine/resources/owned-columns.ts";
import { atLocation, locationColumn } from "../../engine/resources/placed.ts";
import { defineResource } from "../../engine/resources/resource.ts";
import { CashSession, CashSessionQuery } from "./schema.ts";

export const cashSessions = defineResource<CashSession, OwnedColumns>({
  name: "cash_session",
  table: "cash_sessions",
  path: "/cash-sessions",
  scope: "cash",
  tag: { name: "Turnos de caja", text: "Turnos con su arqueo y todas las entradas y salidas manuales de efectivo." },
  spanish: { one: "un turno de caja", many: "turnos de caja" },
  schema: CashSession,
  query: CashSessionQuery,
  derived: { status: { type: "text", from: (body) => body.status }, ...locationColumn },
  private: ownedColumnTypes,
  conditions: (query: CashSessionQuery, _now: Date, accountId: string) => [
    ...atLocation(query.location_id, accountId),
    ...equal("status", query.status),
  ],
});
