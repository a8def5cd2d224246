import type { ServedDeps } from "../../deps.ts";
import { checkPeriod, type Period } from "../../reports/period.ts";
import { readSalesReportKeeping, type SaleGrouping, type SalesRow } from "../../reports/sales-report.ts";
import { readTaxReport, type TaxRow } from "../../reports/tax-report.ts";
import { paymentName } from "../../taxes/words.ts";
import type { TypedApp } from "../public/public-app.ts";
import { PeriodQuery, SalesReportQuery } from "./report-routes.ts";
import { serveTable } from "./tables/send-table.ts";
import { type Column, onePage } from "./tables/table.ts";

const atMidnight = (day: string | null) => new Date(`${day}T00:00:00-05:00`);
const dated = (title: string): Column<SalesRow> => ({ title, type: "date", value: ({ key }) => atMidnight(key) });
const named = (title: string, none: string): Column<SalesRow> => ({
  title,
  type: "text",
  value: ({ label }) => label ?? none,
});

/** The first column: what each row is about. */
const subjects: Record<SaleGrouping, Column<SalesRow>> = {
  day: dated("Día"),
  week: dated("Semana desde"),
  month: dated("Mes desde"),
  hour: { title: "Hora", type: "number", value: ({ key }) => Number(key) },
  product: named("Producto", "Sin ficha"),
  category: named("Categoría", "Sin categoría"),
  register: named("Caja", "Sin caja"),
  cashier: named("Cajero", "Sin cajero"),
  payment_method: { title: "Medio de pago", type: "text", value: ({ key }) => paymentName(key ?? "") },
};

const pesos = (title: string, name: "total" | "tax" | "discount" | "tip" | "returned"): Column<SalesRow> => ({
  title,
  type: "pesos",
  value: (row) => row[name],
});

const ofSales: Column<SalesRow>[] = [
  { title: "Ventas", type: "number", value: ({ tickets }) => tickets },
  pesos("Impuestos", "tax"),
  pesos("Descuentos", "discount"),
  pesos("Propinas", "tip"),
  pesos("Devuelto", "returned"),
  pesos("Vendido", "total"),
];
const ofLines: Column<SalesRow>[] = [
  { title: "Unidades", type: "number", value: ({ quantity }) => quantity },
  pesos("Vendido", "total"),
];

const taxColumns: Column<TaxRow>[] = [
  { title: "Código", type: "text", value: ({ code }) => code },
  { title: "Tarifa", type: "number", value: ({ rate }) => rate },
  { title: "Base", type: "pesos", value: ({ base }) => base },
  { title: "Impuesto", type: "pesos", value: ({ amount }) => amount },
];

/** The reports as files: GET /reports/sales.csv, .xlsx, and the same of the taxes. */
export function reportTables(app: TypedApp, deps: ServedDeps): void {
  serveTable<{ by: SaleGrouping } & Period>(app, deps, {
    path: "/reports/sales",
    query: SalesReportQuery,
    make({ accountId, query }) {
      checkPeriod(query);
      const { by, from, to } = query;
      return {
        title: `ventas-${from}-${to}`,
        columns: [subjects[by], ...(by === "product" || by === "category" ? ofLines : ofSales)],
        pages: onePage(async () => (await readSalesReportKeeping(deps, accountId, query)).rows),
      };
    },
  });
  serveTable<Period>(app, deps, {
    path: "/reports/taxes",
    query: PeriodQuery,
    make({ accountId, query }) {
      checkPeriod(query);
      return {
        title: `impuestos-${query.from}-${query.to}`,
        columns: taxColumns,
        pages: onePage(async () => (await readTaxReport(deps.pool, accountId, query)).rows),
      };
    },
  });
}
