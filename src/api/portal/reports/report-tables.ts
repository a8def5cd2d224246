import type { SaleSums } from "../../../business/sale-totals/definition.ts";
import type { ServedDeps } from "../../../deps.ts";
import { type RateRow, readTaxReport, type TaxQuery } from "../../../fiscal/closing/tax-report.ts";
import { checkPeriod, type Period } from "../../../reports/period.ts";
import { readSalesReportKeeping, type SaleGrouping, type SalesRow } from "../../../reports/sales-report.ts";
import { paymentName } from "../../../taxes/means.ts";
import type { TypedApp } from "../../public/public-app.ts";
import { serveTable } from "../tables/send-table.ts";
import { type Column, onePage } from "../tables/table.ts";
import { SalesReportQuery, TaxReportQuery } from "./report-routes.ts";

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
  location: named("Sede", "Sin sede"),
  payment_method: { title: "Medio de pago", type: "text", value: ({ key }) => paymentName(key ?? "") },
};

type Amount = Exclude<keyof SaleSums, "tickets"> | "total";
const pesos = (title: string, name: Amount): Column<SalesRow> => ({
  title,
  type: "pesos",
  value: (row) => row[name],
});

const ofSales: Column<SalesRow>[] = [
  { title: "Ventas", type: "number", value: ({ tickets }) => tickets },
  pesos("Ventas brutas", "gross"),
  pesos("Devoluciones", "returned"),
  pesos("Ventas netas", "net"),
  pesos("Impuestos", "tax"),
  pesos("Descuentos", "discount"),
  pesos("Propinas", "tip"),
  pesos("Para terceros", "passthrough"),
  pesos("Recibido", "received"),
];
const ofMeans: Column<SalesRow>[] = [
  { title: "Pagos", type: "number", value: ({ tickets }) => tickets },
  pesos("Recibido", "received"),
];
const ofLines: Column<SalesRow>[] = [
  { title: "Cantidad", type: "number", value: ({ quantity }) => quantity },
  { title: "Unidad", type: "text", value: ({ unit }) => unit ?? "Varias" },
  pesos("Valor de las líneas", "total"),
];
const columnsBy = (by: SaleGrouping) => {
  if (by === "payment_method") return ofMeans;
  return by === "product" || by === "category" ? ofLines : ofSales;
};

const taxColumns: Column<RateRow>[] = [
  { title: "Impuesto", type: "text", value: ({ name }) => name },
  { title: "Tarifa (%)", type: "number", value: ({ rate }) => rate },
  { title: "Valor por unidad", type: "pesos", value: ({ per_unit }) => per_unit },
  { title: "Unidades", type: "number", value: ({ units }) => units },
  { title: "Base", type: "pesos", value: ({ base, units }) => (units === null ? base : null) },
  { title: "Impuesto cobrado", type: "pesos", value: ({ amount }) => amount },
];

/** The reports as files: GET /reports/sales.csv, .xlsx, and the same of the taxes. */
export function reportTables(app: TypedApp, deps: ServedDeps): void {
  serveTable<{ by: SaleGrouping } & Period>(app, deps, {
    path: "/reports/sales",
    right: { all: ["reports:read", "exports"] },
    query: SalesReportQuery,
    make({ accountId, query }) {
      checkPeriod(query);
      const { by, from, to } = query;
      return {
        title: `ventas-${from}-${to}`,
        columns: [subjects[by], ...columnsBy(by)],
        pages: onePage(async () => (await readSalesReportKeeping(deps, accountId, query)).rows),
      };
    },
  });
  serveTable<Period & Partial<TaxQuery>>(app, deps, {
    path: "/reports/taxes",
    right: { all: ["reports:read", "exports"] },
    query: TaxReportQuery,
    make({ accountId, query }) {
      checkPeriod(query);
      const { by = "sale", from, to } = query;
      const report = () => readTaxReport(deps.pool, accountId, { by, from, to }, deps.clock.now());
      return {
        title: `impuestos-por-${by === "sale" ? "venta" : "documento"}-${from}-${to}`,
        columns: taxColumns,
        pages: onePage(async () => (await report()).rows),
      };
    },
  });
}
