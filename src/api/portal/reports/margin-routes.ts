import { recordAudit } from "../../../access/accounts/record-audit.ts";
import { correctCost } from "../../../business/inventory/correct-cost.ts";
import { costsOfSale } from "../../../business/sale-totals/costs-of-sale.ts";
import type { ServedDeps } from "../../../deps.ts";
import { ById, oneOf, uuid } from "../../../engine/resources/fields.ts";
import { writing } from "../../../engine/writing/writing.ts";
import { Type } from "../../../lib/schema.ts";
import {
  type MarginGrouping,
  type MarginRow,
  marginGroupings,
  readMargin,
  readMarginReport,
  readSoldBelowCost,
} from "../../../reports/margin-report.ts";
import { addDays, checkPeriod, type Period } from "../../../reports/period.ts";
import { bogotaDate } from "../../../taxes/bogota-time.ts";
import type { TypedApp } from "../../public/public-app.ts";
import type { Answers } from "../answers.ts";
import { readProductCost } from "../catalog/read-product-cost.ts";
import { actorOf } from "../settings/session-routes.ts";
import { sedesAsked } from "../tables/sedes.ts";
import { serveTable } from "../tables/send-table.ts";
import { type Column, onePage } from "../tables/table.ts";
import { calendarDay } from "./calendar-day.ts";

const sede = { location_id: Type.Optional(uuid()) };
const closed = { additionalProperties: false };
const Sede = Type.Object(sede, closed);
export const MarginQuery = Type.Object(
  { by: oneOf(marginGroupings), from: calendarDay, to: calendarDay, ...sede },
  closed,
);

const Cost = Type.Object(
  { unit_cost: Type.Number({ exclusiveMinimum: 0, maximum: 999_999_999_999, "x-max-decimals": 4 }) },
  closed,
);

/** How many days a product's page looks back. */
const productDays = 30;

/** What was earned, for whoever may see what things cost. */
export function marginRoutes(app: TypedApp, deps: ServedDeps): void {
  app.get(
    "/reports/margin",
    { config: { right: "costs:read" }, schema: { querystring: MarginQuery } },
    ({ session, query: { location_id, ...query } }): Promise<Answers["GET /reports/margin"]> => {
      checkPeriod(query);
      return readMarginReport(deps, session.accountId, { ...query, location_ids: sedesAsked(session, location_id) });
    },
  );
  app.get(
    "/today/margin",
    { config: { right: { all: ["today:read", "costs:read"] } }, schema: { querystring: Sede } },
    async ({ session, query }): Promise<Answers["GET /today/margin"]> => {
      const day = bogotaDate(deps.clock.now());
      const asked = { from: day, to: day, location_ids: sedesAsked(session, query.location_id) };
      const [sums, below_cost] = await Promise.all([
        readMargin(deps, session.accountId, asked),
        readSoldBelowCost(deps.reads, session.accountId, asked),
      ]);
      return { day, ...sums, below_cost };
    },
  );
  app.get(
    "/sales/:id/costs",
    { config: { right: { all: ["sales:read", "costs:read"] } }, schema: { params: ById } },
    ({ session: { accountId }, params }): Promise<Answers["GET /sales/:id/costs"]> =>
      costsOfSale(deps.pool, accountId, params.id.toLowerCase()),
  );
  app.get(
    "/products/:id/cost",
    { config: { right: { all: ["products:read", "costs:read"] } }, schema: { params: ById, querystring: Sede } },
    ({ session, params, query }): Promise<Answers["GET /products/:id/cost"]> => {
      const to = bogotaDate(deps.clock.now());
      const asked = { from: addDays(to, 1 - productDays), to, location_ids: sedesAsked(session, query.location_id) };
      return readProductCost(deps, session.accountId, params.id.toLowerCase(), asked);
    },
  );
  app.put(
    "/movements/:id/cost",
    { config: { right: { all: ["stock:write", "costs:read"] } }, schema: { params: ById, body: Cost } },
    async (request): Promise<Answers["PUT /movements/:id/cost"]> => {
      const { session, params, body } = request;
      return writing(deps, session.accountId, async (write) => {
        const corrected = await correctCost(write, params.id.toLowerCase(), body.unit_cost);
        const { accountId, at } = write;
        const details = { ...corrected };
        await recordAudit(write.client, { accountId, at, action: "cost.corrected", details, actor: actorOf(request) });
        return corrected;
      });
    },
  );
  marginTable(app, deps);
}

const named = (title: string, none: string): Column<MarginRow> => ({
  title,
  type: "text",
  value: ({ label }) => label ?? none,
});
const subjects: Record<MarginGrouping, Column<MarginRow>> = {
  day: { title: "Día", type: "date", value: ({ key }) => new Date(`${key}T00:00:00-05:00`) },
  product: named("Producto", "Sin ficha"),
  category: named("Categoría", "Sin categoría"),
  location: named("Sede", "Sin sede"),
  cashier: named("Cajero", "Sin cajero"),
  customer: named("Cliente", "Consumidor final"),
};
const columns: Column<MarginRow>[] = [
  { title: "Líneas", type: "number", value: ({ lines }) => lines },
  { title: "Ventas netas sin impuestos", type: "pesos", value: ({ net }) => net },
  { title: "Costo", type: "pesos", value: ({ cost }) => cost },
  { title: "Margen", type: "pesos", value: ({ margin }) => margin },
  { title: "Margen (%)", type: "number", value: ({ percent }) => percent },
  { title: "Líneas sin costo", type: "number", value: ({ unknown_lines }) => unknown_lines },
  { title: "Ventas sin costo", type: "pesos", value: ({ unknown_net }) => unknown_net },
  { title: "Líneas con costo estimado", type: "number", value: ({ guess_lines }) => guess_lines },
];

function marginTable(app: TypedApp, deps: ServedDeps): void {
  serveTable<{ by: MarginGrouping } & Period>(app, deps, {
    path: "/reports/margin",
    right: { all: ["costs:read", "exports"] },
    query: MarginQuery,
    make({ accountId, query }) {
      checkPeriod(query);
      const { by, from, to } = query;
      return {
        title: `margen-${from}-${to}`,
        columns: [subjects[by], ...columns],
        pages: onePage(async () => (await readMarginReport(deps, accountId, query)).rows),
      };
    },
  });
}
