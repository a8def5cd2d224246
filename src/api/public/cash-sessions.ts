import { CashSession, CashSessionQuery } from "../../business/cash-sessions/schema.ts";
import { cashSessionList, cashSessions } from "../../business/cash-sessions/store.ts";
import { ById, listOf, NoQuery } from "../../engine/resources/fields.ts";
import type { TypedApp } from "./public-app.ts";
import { type ReadingDeps, sendList, sendOne } from "./reading.ts";

const tags = ["Turnos de caja"];

export function cashSessionRoutes(app: TypedApp, deps: ReadingDeps): void {
  app.get(
    "/cash-sessions",
    {
      config: { permission: "cash:read", answers: listOf(CashSession) },
      schema: { tags, summary: "Listar turnos de caja", querystring: CashSessionQuery },
    },
    (request, reply) => sendList(deps, request, reply, cashSessionList),
  );
  app.get(
    "/cash-sessions/:id",
    {
      config: { permission: "cash:read", answers: CashSession },
      schema: { tags, summary: "Leer un turno de caja", params: ById, querystring: NoQuery },
    },
    (request, reply) => sendOne(deps, request, reply, cashSessions),
  );
}
