import { countNewMovements } from "../../../business/inventory/stock-levels.ts";
import type { ServedDeps } from "../../../deps.ts";
import { oneOf, uuid } from "../../../engine/resources/fields.ts";
import { taxBases } from "../../../fiscal/closing/tax-days.ts";
import { readTaxReport } from "../../../fiscal/closing/tax-report.ts";
import { Type } from "../../../lib/schema.ts";
import { checkPeriod } from "../../../reports/period.ts";
import { readSalesReportKeeping, saleGroupings } from "../../../reports/sales-report.ts";
import { maxCounted, readToday } from "../../../reports/today.ts";
import { readWeeklySummary, setWeeklySummary } from "../../../reports/weekly-summary.ts";
import type { TypedApp } from "../../public/public-app.ts";
import type { Answers } from "../answers.ts";
import { readUnissued } from "../documents/unissued-documents.ts";
import { sedesAsked } from "../tables/sedes.ts";
import { calendarDay } from "./calendar-day.ts";

const closed = { additionalProperties: false };
const period = { from: calendarDay, to: calendarDay };
/** The sede that is chosen; without any, all that are hers who asks. */
const sede = { location_id: Type.Optional(uuid()) };
const Sede = Type.Object(sede, closed);
export const SalesReportQuery = Type.Object({ by: oneOf(saleGroupings), ...period, ...sede }, closed);
/** By the day of the sale, unless the day of its document is wanted. */
export const TaxReportQuery = Type.Object({ by: Type.Optional(oneOf(taxBases)), ...period }, closed);
const Weekly = Type.Object({ active: Type.Boolean() }, closed);

export function reportRoutes(app: TypedApp, deps: ServedDeps): void {
  app.get(
    "/today",
    { config: { right: "today:read" }, schema: { querystring: Sede } },
    async ({ session, query }): Promise<Answers["GET /today"]> => {
      const { accountId } = session;
      const locationIds = sedesAsked(session, query.location_id);
      // What runs out at a sede does so in its warehouses.
      if (locationIds !== null) await countNewMovements(deps.pool, accountId);
      const [today, unissued] = await Promise.all([
        readToday(deps, accountId, deps.clock.now(), locationIds),
        readUnissued(deps.reads, accountId, { limit: maxCounted, locationIds }),
      ]);
      return { ...today, documents: { ...today.documents, unissued: unissued.length } };
    },
  );
  app.get(
    "/reports/sales",
    { config: { right: "reports:read" }, schema: { querystring: SalesReportQuery } },
    ({ session, query: { location_id, ...query } }): Promise<Answers["GET /reports/sales"]> => {
      checkPeriod(query);
      const location_ids = sedesAsked(session, location_id);
      return readSalesReportKeeping(deps, session.accountId, { ...query, location_ids });
    },
  );
  app.get(
    "/reports/taxes",
    { config: { right: "reports:read", ofWhole: true }, schema: { querystring: TaxReportQuery } },
    ({ session: { accountId }, query }): Promise<Answers["GET /reports/taxes"]> => {
      checkPeriod(query);
      return readTaxReport(deps.pool, accountId, { by: "sale", ...query }, deps.clock.now());
    },
  );

  app.get(
    "/reports/weekly-summary",
    { config: { right: "reports:read" } },
    ({ session }): Promise<Answers["GET /reports/weekly-summary"]> => readWeeklySummary(deps.pool, session.accountId),
  );
  app.put(
    "/reports/weekly-summary",
    { config: { right: "settings:write", ofWhole: true }, schema: { body: Weekly } },
    async ({ session: { accountId }, body }): Promise<Answers["PUT /reports/weekly-summary"]> => {
      await setWeeklySummary(deps.pool, accountId, body.active, deps.clock.now());
      return readWeeklySummary(deps.pool, accountId);
    },
  );
}
