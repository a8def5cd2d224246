import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { Answer, MarginReport } from "../lib/answers.ts";
import { get } from "../lib/api.ts";
import {
  capitalized,
  cost as costOf,
  date,
  dayAndMonth,
  fullDay,
  number,
  pesos,
  plural,
  quantity,
  shortPesos,
} from "../lib/format.ts";
import { marginNote, share } from "../lib/margin-words.ts";
import { refreshMs, useMay } from "../lib/queries.ts";
import { salesOf } from "../lib/sums.ts";
import { Bars } from "../ui/bars.tsx";
import { Figure, Figures } from "../ui/figure.tsx";
import { Empty, Section } from "../ui/parts.tsx";
import { type Column, RecordTable } from "../ui/record-table.tsx";

type Row = MarginReport["rows"][number];
type By = MarginReport["by"];

const names: Record<By, { title: string; full: (row: Row) => string }> = {
  day: { title: "Día", full: ({ key }) => capitalized(fullDay(key!)) },
  product: { title: "Producto", full: ({ key, label }) => label ?? (key ? "Producto sin ficha" : "Líneas libres") },
  category: { title: "Categoría", full: ({ label }) => label ?? "Sin categoría" },
  location: { title: "Sede", full: ({ label }) => label ?? "Sin sede" },
  cashier: { title: "Cajero", full: ({ label }) => label ?? "Sin cajero" },
  customer: {
    title: "Cliente",
    full: ({ key, label }) => label ?? (key ? "Un cliente que aún no llega" : "Consumidor final"),
  },
};

function listOf({ by, from, to }: MarginReport, { key, label }: Row): string | undefined {
  if (key === null) return undefined;
  if (by === "day") return salesOf(key, key);
  if (by === "location") return salesOf(from, to, { sede: key });
  if (by === "product" && label) return `/productos/${key}`;
  if (by === "customer" && label) return `/clientes/${key}`;
  return undefined;
}

export function MarginFigures({ report: { totals, from, to } }: { report: MarginReport }) {
  return (
    <Figures label="Totales del periodo">
      <Figure isMain label="Margen" value={pesos(totals.margin)} note={marginNote(totals) || undefined} />
      <Figure
        label="Ventas netas sin impuestos"
        value={pesos(totals.net)}
        to={salesOf(from, to)}
        note={plural(totals.lines, "línea vendida", "líneas vendidas")}
      />
      <Figure label="Costo" value={pesos(totals.cost)} />
      {totals.unknown_lines > 0 && (
        <Figure label="Ventas sin costo" value={pesos(totals.unknown_net)} note="no están en el margen" />
      )}
    </Figures>
  );
}

export function MarginTable({ report, title }: { report: MarginReport; title: string }) {
  const { by, rows, totals } = report;
  if (rows.length === 0)
    return (
      <Section title={title}>
        <Empty icon="chart" title="No hubo ventas en este periodo">
          Elija otros días arriba.
        </Empty>
      </Section>
    );
  return (
    <Section title={title}>
      {by === "day" && rows.length > 1 && (
        <Bars
          bars={rows.map((row) => ({ key: row.key!, label: dayAndMonth(row.key!), value: row.margin }))}
          summary={`${title}: ${pesos(totals.margin)} en ${plural(rows.length, "día", "días")}.`}
          format={pesos}
          axis={shortPesos}
        />
      )}
      <RecordTable
        label={title}
        rows={by === "day" ? rows.toReversed() : rows}
        rowKey={({ key }) => key ?? "ninguno"}
        columns={columnsOf(report)}
      />
      {report.is_cut && (
        <Text size="sm" c="dimmed" mt="sm">
          Se muestran las {number(rows.length)} filas con más ventas. Elija un periodo más corto para verlas todas.
        </Text>
      )}
    </Section>
  );
}

function columnsOf(report: MarginReport): Column<Row>[] {
  const { by, totals } = report;
  const { title, full } = names[by];
  return [
    {
      title,
      cell(row) {
        const to = listOf(report, row);
        return to ? <Link href={to}>{full(row)}</Link> : full(row);
      },
    },
    { title: "Ventas sin impuestos", isNumber: true, cell: ({ net }) => pesos(net), total: pesos(totals.net) },
    { title: "Costo", isNumber: true, isExtra: true, cell: (row) => pesos(row.cost), total: pesos(totals.cost) },
    { title: "Margen", isNumber: true, cell: ({ margin }) => pesos(margin), total: pesos(totals.margin) },
    { title: "%", isNumber: true, cell: share, total: share(totals) },
    {
      title: "Sin costo",
      isNumber: true,
      isExtra: true,
      cell: (row) => number(row.unknown_lines),
      total: number(totals.unknown_lines),
    },
  ];
}

type SoldCost = Answer<"GET /sales/:id/costs">["products"][number];

/** What a sale cost and earned. */
export function SaleMargin({ id }: { id: string }) {
  const may = useMay()("costs:read");
  const costs = useQuery({
    queryKey: ["sale-costs", id],
    queryFn: ({ signal }) => get<Answer<"GET /sales/:id/costs">>(`/sales/${id}/costs`, signal),
    refetchInterval: refreshMs,
    enabled: may,
  });
  if (!costs.data || costs.data.products.length === 0) return null;
  const { products, ...sums } = costs.data;
  return (
    <Section title="Costo y margen" lead={`Margen: ${pesos(sums.margin)}. ${capitalized(marginNote(sums))}`.trim()}>
      <RecordTable
        label="Costo y margen"
        rows={products}
        rowKey={({ product_id }) => product_id ?? "libre"}
        columns={[
          {
            title: "Producto",
            cell: ({ name, product_id }) => name ?? (product_id ? "Producto sin ficha" : "Línea libre"),
          },
          { title: "Cantidad", isNumber: true, isExtra: true, cell: (row) => quantity(row.quantity) },
          { title: "Venta sin impuestos", isNumber: true, cell: ({ net }) => pesos(net) },
          { title: "Costo", isNumber: true, cell: costCell },
          {
            title: "Margen",
            isNumber: true,
            cell: ({ net, cost }) => (cost === null ? "–" : pesos(net - cost)),
          },
        ]}
      />
    </Section>
  );
}

function costCell({ cost, is_guess, first_cost, recosted_at }: SoldCost) {
  if (cost === null) return "Sin costo";
  const changed = first_cost !== null && first_cost !== cost && recosted_at !== null;
  return (
    <>
      {pesos(cost)}
      {is_guess && (
        <Text size="xs" c="dimmed">
          estimado: se vendió antes de entrar
        </Text>
      )}
      {changed && (
        <Text size="xs" c="dimmed">
          antes {pesos(first_cost)}, cambió el {date(recosted_at)}
        </Text>
      )}
    </>
  );
}

type Step = Answer<"GET /products/:id/cost">["steps"][number];

/** What a product costs, how that came about, and what it earned. */
export function ProductCost({ id }: { id: string }) {
  const may = useMay()("costs:read");
  const costs = useQuery({
    queryKey: ["product-cost", id],
    queryFn: ({ signal }) => get<Answer<"GET /products/:id/cost">>(`/products/${id}/cost`, signal),
    enabled: may,
  });
  if (!costs.data) return null;
  const { margin, steps } = costs.data;
  if (margin.lines === 0 && steps.length === 0) return null;
  const columns: Column<Step>[] = [
    { title: "Entró", cell: ({ at }) => date(at) },
    { title: "Cantidad", isNumber: true, cell: (row) => quantity(row.quantity) },
    { title: "Costo de entrada", isNumber: true, cell: ({ unit_cost }) => costOf(unit_cost) },
    { title: "Promedio desde ahí", isNumber: true, cell: ({ average }) => costOf(average) },
  ];
  return (
    <Section
      title="Costo y margen"
      lead={
        margin.lines === 0
          ? "No se vendió en los últimos 30 días."
          : `En los últimos 30 días dejó ${pesos(margin.margin)}. ${capitalized(marginNote(margin))}`.trim()
      }
    >
      {steps.length > 0 && (
        <RecordTable
          label="Costo y margen"
          rows={steps}
          rowKey={(step) => `${step.at} ${step.average}`}
          columns={columns}
        />
      )}
    </Section>
  );
}
