import { countMovementDays } from "../../../business/inventory/stock-days.ts";
import type { ServedDeps } from "../../../deps.ts";
import { uuid } from "../../../engine/resources/fields.ts";
import { Type } from "../../../lib/schema.ts";
import { checkPeriod } from "../../../reports/period.ts";
import { readStockValue, type StockValue, type StockValueRow } from "../../../reports/stock-value.ts";
import type { TypedApp } from "../../public/public-app.ts";
import type { Answers } from "../answers.ts";
import { sedesAsked } from "../tables/sedes.ts";
import { serveTable } from "../tables/send-table.ts";
import { type Column, onePage } from "../tables/table.ts";
import { calendarDay } from "./calendar-day.ts";

const StockValueQuery = Type.Object(
  { day: calendarDay, location_id: Type.Optional(uuid()) },
  { additionalProperties: false },
);

const columns: Column<StockValueRow>[] = [
  { title: "Producto", type: "text", value: ({ name }) => name ?? "Sin ficha" },
  { title: "SKU", type: "text", value: ({ sku }) => sku },
  { title: "Existencias", type: "number", value: ({ stock }) => stock },
  { title: "Unidad", type: "text", value: ({ unit }) => unit },
  { title: "Costo de uno", type: "number", value: ({ unit_cost }) => unit_cost },
  { title: "Valor al costo", type: "pesos", value: ({ value }) => value },
];

/** What the stock was worth at the end of any day. */
export function stockValueRoutes(app: TypedApp, deps: ServedDeps): void {
  const read = async (accountId: string, day: string, locationIds: readonly string[] | null): Promise<StockValue> => {
    checkPeriod({ from: day, to: day });
    await countMovementDays(deps.pool, accountId);
    return readStockValue(deps.pool, accountId, day, locationIds);
  };
  app.get(
    "/reports/stock-value",
    { config: { right: { all: ["stock:read", "costs:read"] } }, schema: { querystring: StockValueQuery } },
    ({ session, query }): Promise<Answers["GET /reports/stock-value"]> =>
      read(session.accountId, query.day, sedesAsked(session, query.location_id)),
  );
  serveTable<{ day: string }>(app, deps, {
    path: "/reports/stock-value",
    right: { all: ["stock:read", "costs:read", "exports"] },
    query: StockValueQuery,
    make: ({ accountId, query: { day, location_ids = null } }) => ({
      title: `valor-del-inventario-${day}`,
      columns,
      pages: onePage(async () => (await read(accountId, day, location_ids)).rows),
    }),
  });
}
