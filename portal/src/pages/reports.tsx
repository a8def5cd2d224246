import { Button, Group, Select, TextInput } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useFilters } from "../lib/address.ts";
import type { MarginReport, SalesReport, StockValue, TaxReport } from "../lib/answers.ts";
import { get, query } from "../lib/api.ts";
import { addDays } from "../lib/format.ts";
import { useMay, useSession, useToday } from "../lib/queries.ts";
import { useSede } from "../lib/sedes.ts";
import { ExportMenu } from "../ui/export-menu.tsx";
import { ErrorMessage, Heading, Loading } from "../ui/parts.tsx";
import { MarginFigures, MarginTable } from "./margin-parts.tsx";
import { Journal, WeeklySummary } from "./reports-extras.tsx";
import { SalesFigures, SalesTable } from "./reports-tables.tsx";
import { StockValueTable } from "./stock-value-table.tsx";
import { TaxTable } from "./tax-table.tsx";

const views = {
  day: "Ventas por día",
  week: "Ventas por semana",
  month: "Ventas por mes",
  hour: "Ventas por hora del día",
  product: "Ventas por producto",
  category: "Ventas por categoría",
  register: "Ventas por caja",
  cashier: "Ventas por cajero",
  payment_method: "Ventas por medio de pago",
  location: "Ventas por sede",
  margin_day: "Margen por día",
  margin_product: "Margen por producto",
  margin_category: "Margen por categoría",
  margin_cashier: "Margen por cajero",
  margin_customer: "Margen por cliente",
  margin_location: "Margen por sede",
  stock_value: "Valor del inventario",
  taxes: "Impuestos por fecha de venta",
  document_taxes: "Impuestos por fecha del documento",
};
type View = keyof typeof views;

const taxViews: readonly string[] = ["taxes", "document_taxes"] satisfies View[];

const marginPrefix = "margin_";
const isMargin = (view: string) => view.startsWith(marginPrefix);

/**
 * Taxes are for whoever sees the whole business, as the service says, and margins for whoever sees what things cost; sedes are compared
 * where there are several.
 */
function useViews() {
  const { all } = useSede();
  const seesAll = useSession().data?.location_ids === null;
  const seesCosts = useMay()("costs:read");
  const isHidden = (value: string) =>
    (value.endsWith("location") && all.length < 2) ||
    (taxViews.includes(value) && !seesAll) ||
    ((isMargin(value) || value === "stock_value") && !seesCosts);
  return Object.entries(views).flatMap(([value, label]) => (isHidden(value) ? [] : [{ value, label }]));
}

/** Which report a view is, and by what. */
function reportOf(view: View): { path: string; by: string } {
  if (view === "taxes") return { path: "/reports/taxes", by: "sale" };
  if (view === "document_taxes") return { path: "/reports/taxes", by: "document" };
  if (view === "stock_value") return { path: "/reports/stock-value", by: "" };
  if (isMargin(view)) return { path: "/reports/margin", by: view.slice(marginPrefix.length) };
  return { path: "/reports/sales", by: view };
}

export default function Reports() {
  const [{ por, desde, hasta }, setFilters] = useFilters(["por", "desde", "hasta"]);
  const view: View = por !== undefined && por in views ? (por as View) : "day";
  const today = useToday();
  const to = isDay(hasta) ? hasta : today;
  const from = isDay(desde) ? desde : addDays(to, -29);
  const { path, by } = reportOf(view);
  const sede = useSede();
  const choices = useViews();
  // Taxes are declared by the business, not by its sedes.
  const location_id = path === "/reports/taxes" ? undefined : sede.id;
  const asked = view === "stock_value" ? { day: to, location_id } : { by, from, to, location_id };
  const report = useQuery({
    queryKey: ["report", view, from, to, location_id],
    queryFn: ({ signal }) => get<Report>(`${path}${query(asked)}`, signal),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <Heading title="Informes" lead="Lo vendido en un periodo, visto como lo necesite.">
        <ExportMenu href={(format) => `${path}.${format}${query(asked)}`} />
      </Heading>
      <search aria-label="Periodo y vista" className="toolbar">
        <Select
          label="Ver"
          allowDeselect={false}
          data={choices}
          value={view}
          onChange={(value) => setFilters({ por: value === "day" ? null : value })}
        />
        <TextInput
          label="Desde"
          type="date"
          value={from}
          max={to}
          onChange={(event) => setFilters({ desde: event.currentTarget.value || null })}
        />
        <TextInput
          label="Hasta"
          type="date"
          value={to}
          min={from}
          onChange={(event) => setFilters({ hasta: event.currentTarget.value || null })}
        />
        <Presets today={today} onPick={setFilters} />
      </search>
      <ErrorMessage error={report.error} retry={report.refetch} />
      {report.isPending && <Loading />}
      {report.data && (
        <div aria-busy={report.isPlaceholderData}>
          <Shown report={report.data} />
        </div>
      )}
      <div className="beside even">
        <Journal day={to} />
        <WeeklySummary />
      </div>
    </>
  );
}

type Report = SalesReport | TaxReport | MarginReport | StockValue;

function Shown({ report }: { report: Report }) {
  if ("day" in report) return <StockValueTable report={report} />;
  if (isOfTaxes(report))
    return <TaxTable report={report} title={views[report.by === "sale" ? "taxes" : "document_taxes"]} />;
  if (isOfMargin(report))
    return (
      <>
        <MarginFigures report={report} />
        <MarginTable report={report} title={views[`margin_${report.by}`]} />
      </>
    );
  return (
    <>
      <SalesFigures report={report} />
      <SalesTable report={report} title={views[report.by]} />
    </>
  );
}

function isOfTaxes(report: Exclude<Report, StockValue>): report is TaxReport {
  return report.by === "sale" || report.by === "document";
}

function isOfMargin(report: SalesReport | MarginReport): report is MarginReport {
  return "margin" in report.totals;
}

function isDay(text: string | undefined): text is string {
  return text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
}

function Presets({
  today,
  onPick,
}: {
  today: string;
  onPick: (period: { desde: string; hasta: string | null }) => void;
}) {
  const starts: [string, string][] = [
    ["Hoy", today],
    ["7 días", addDays(today, -6)],
    ["Este mes", `${today.slice(0, 8)}01`],
    ["Un año", addDays(today, -364)],
  ];
  return (
    <Group gap={4} className="tight" style={{ maxWidth: "none" }}>
      {starts.map(([title, desde]) => (
        <Button key={title} size="compact-sm" variant="subtle" mb={4} onClick={() => onPick({ desde, hasta: null })}>
          {title}
        </Button>
      ))}
    </Group>
  );
}
