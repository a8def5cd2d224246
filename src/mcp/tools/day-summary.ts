import type { Static } from "typebox";
import { averageOf, type SaleSums } from "../../business/sale-totals/definition.ts";
import { uuid } from "../../engine/resources/fields.ts";
import { Type } from "../../lib/schema.ts";
import { checkPeriod } from "../../reports/period.ts";
import { readSalesReportKeeping, type SaleGrouping } from "../../reports/sales-report.ts";
import { readToday } from "../../reports/today.ts";
import { bogotaDate } from "../../taxes/bogota-time.ts";
import { defineTool, type ToolContext } from "../tool.ts";
import { dayField, pesos } from "./words.ts";

const Input = Type.Object(
  {
    day: Type.Optional(dayField("El día; por omisión, hoy.")),
    location_id: Type.Optional(uuid({ description: "Solo esta sede; por omisión, todo el negocio." })),
  },
  { additionalProperties: false },
);

const shownProducts = 10;

export const daySummary = defineTool({
  name: "sales_summary",
  title: "Resumen del día",
  description:
    "Cuánto se vendió en un día: ventas brutas, devoluciones, netas, impuestos, medios de pago y lo más vendido. El de hoy trae además los turnos abiertos, lo que se está acabando y los documentos pendientes.",
  scopes: ["sales:read"],
  input: Input,
  async run({ day, location_id }: Static<typeof Input>, context) {
    if (day !== undefined) checkPeriod({ from: day, to: day });
    if (location_id !== undefined) await context.api.get(`/locations/${location_id}`);
    const today = bogotaDate(context.deps.clock.now());
    const locationIds = location_id === undefined ? null : [location_id];
    return day === undefined || day === today ? ofToday(context, locationIds) : ofDay(context, day, locationIds);
  },
});

async function ofToday({ deps, access }: ToolContext, locationIds: readonly string[] | null): Promise<object> {
  const report = await readToday(deps, access.accountId, deps.clock.now(), locationIds);
  const may = access.scopes;
  return {
    summary: sentence("Hoy", report.sold),
    day: report.day,
    sold: soldOf(report.sold),
    same_weekday_last_week_until_now: soldOf(report.sold_before),
    payments: report.payments,
    best_products: report.products,
    ...(may.has("cash:read") && {
      open_shifts: report.shifts.map(({ id, register_name, opened_by, opened_at, net, tickets }) => ({
        ...{ id, register_name, opened_by, opened_at, net, tickets },
      })),
    }),
    ...(may.has("invoices:read") && { documents_pending: report.documents.pending }),
    ...(may.has("inventory:read") && {
      running_out: report.running_out,
      running_out_count: report.running_out_count,
    }),
  };
}

async function ofDay(
  { deps, access }: ToolContext,
  day: string,
  location_ids: readonly string[] | null,
): Promise<object> {
  const by = (grouping: SaleGrouping) =>
    readSalesReportKeeping(deps, access.accountId, { by: grouping, from: day, to: day, location_ids });
  const [whole, means, products] = [await by("day"), await by("payment_method"), await by("product")];
  return {
    summary: sentence(`El ${day}`, whole.totals),
    day,
    sold: soldOf(whole.totals),
    payments: means.rows.map(({ key, tickets, total }) => ({
      ...{ payment_method: key, payments: tickets, received: total },
    })),
    best_products: products.rows.slice(0, shownProducts).map(({ key, label, quantity, total }) => ({
      ...{ product_id: key, name: label, quantity, amount: total },
    })),
  };
}

function soldOf(sums: SaleSums) {
  const { tickets, gross, returned, net, tax, discount, tip, received } = sums;
  return { tickets, gross, returned, net, tax, discount, tip, received, average: averageOf(sums) };
}

function sentence(when: string, { tickets, net, returned }: SaleSums): string {
  const back = returned === 0 ? "" : `, después de devoluciones por ${pesos(returned)}`;
  return `${when}: ${tickets} ${tickets === 1 ? "venta" : "ventas"}, ${pesos(net)} netos${back}.`;
}
