import { Text } from "@mantine/core";
import { Link } from "wouter";
import type { SalesReport } from "../lib/answers.ts";
import {
  addDays,
  capitalized,
  dayAndMonth,
  fullDay,
  monthName,
  number,
  pesos,
  plural,
  quantity,
  shortPesos,
} from "../lib/format.ts";
import { colorOf, type Sede, useSedes } from "../lib/sedes.ts";
import { averageOf, salesOf } from "../lib/sums.ts";
import { paymentTitle } from "../lib/words.ts";
import { Bars, Share } from "../ui/bars.tsx";
import { Figure, Figures } from "../ui/figure.tsx";
import { Empty, Section } from "../ui/parts.tsx";
import { type Column, RecordTable } from "../ui/record-table.tsx";

type Row = SalesReport["rows"][number];
type By = SalesReport["by"];

/** A row's name in full, and short for the chart. */
const names: Record<By, { title: string; full: (row: Row) => string; short?: (row: Row) => string }> = {
  day: { title: "Día", full: ({ key }) => capitalized(fullDay(key!)), short: ({ key }) => dayAndMonth(key!) },
  week: {
    title: "Semana",
    full: ({ key }) => `Semana del ${fullDay(key!)}`,
    short: ({ key }) => dayAndMonth(key!),
  },
  month: {
    title: "Mes",
    full: ({ key }) => capitalized(monthName(key!)),
    short: ({ key }) => monthName(key!).slice(0, 3),
  },
  hour: { title: "Hora", full: ({ key }) => `${key}:00 a ${key}:59`, short: ({ key }) => `${key}:00` },
  product: { title: "Producto", full: ({ key, label }) => label ?? (key ? "Producto sin ficha" : "Líneas libres") },
  category: { title: "Categoría", full: ({ label }) => label ?? "Sin categoría" },
  register: { title: "Caja", full: ({ label }) => label ?? "Sin caja" },
  cashier: { title: "Cajero", full: ({ label }) => label ?? "Sin cajero" },
  location: { title: "Sede", full: nameOfSede },
  payment_method: { title: "Medio de pago", full: ({ key }) => paymentTitle(key ?? "") },
};

function nameOfSede({ label }: Row): string {
  return label ?? "Sin sede";
}

const ofLines = (by: By) => by === "product" || by === "category";

/** The list behind a row, where there is one. */
function listOf({ by, from, to }: SalesReport, { key, label }: Row): string | undefined {
  if (key === null) return undefined;
  if (by === "day") return salesOf(key, key);
  if (by === "week" || by === "month") {
    const last = by === "week" ? addDays(key, 6) : addDays(`${addDays(key, 31).slice(0, 8)}01`, -1);
    return salesOf(key < from ? from : key, last > to ? to : last);
  }
  if (by === "payment_method") return key === "" ? undefined : salesOf(from, to, { medio: key });
  if (by === "location") return salesOf(from, to, { sede: key });
  if (by === "register") return salesOf(from, to, { caja: key });
  if (by === "product" && label) return `/productos/${key}`;
  return undefined;
}

/** What the rows of each view are compared by. */
const valueTitle = (by: By) =>
  ofLines(by) ? "Valor de las líneas" : by === "payment_method" ? "Recibido" : "Ventas netas";

export function SalesFigures({ report: { by, totals, from, to } }: { report: SalesReport }) {
  if (ofLines(by)) {
    return (
      <Figures label="Totales del periodo">
        <Figure isMain label={valueTitle(by)} value={pesos(totals.total)} note="antes de descuentos de la venta" />
        <Figure label="Líneas" value={number(totals.tickets)} />
        {totals.quantity !== null && <Figure label="Cantidad" value={amountOf(totals)} />}
      </Figures>
    );
  }
  if (by === "payment_method") {
    return (
      <Figures label="Totales del periodo">
        <Figure
          isMain
          label="Recibido"
          value={pesos(totals.received)}
          note="ventas netas, propinas y dinero para terceros"
        />
        <Figure label="Pagos" value={number(totals.tickets)} />
      </Figures>
    );
  }
  return (
    <Figures label="Totales del periodo">
      <Figure
        isMain
        label="Ventas netas"
        value={pesos(totals.net)}
        to={salesOf(from, to)}
        note={plural(totals.tickets, "venta", "ventas")}
      />
      {totals.returned !== 0 && (
        <Figure label="Ventas brutas" value={pesos(totals.gross)} to={salesOf(from, to, { movimiento: "sales" })} />
      )}
      {totals.returned !== 0 && (
        <Figure
          label="Devoluciones"
          value={pesos(totals.returned)}
          to={salesOf(from, to, { movimiento: "returns" })}
          note="ya restadas de las netas"
        />
      )}
      <Figure label="Venta promedio" value={totals.tickets === 0 ? "–" : pesos(averageOf(totals))} />
      <Figure label="Impuestos" value={pesos(totals.tax)} note="incluidos en las ventas netas" />
      <Figure label="Descuentos" value={pesos(totals.discount)} note="ya restados" />
      {totals.tip !== 0 && <Figure label="Propinas" value={pesos(totals.tip)} note="no son ventas" />}
      {totals.passthrough !== 0 && (
        <Figure label="Para terceros" value={pesos(totals.passthrough)} note="no son ventas" />
      )}
    </Figures>
  );
}

export function SalesTable({ report, title }: { report: SalesReport; title: string }) {
  const { by, rows, totals } = report;
  const sedes = useSedes().data ?? [];
  if (rows.length === 0) {
    return (
      <Section title={title}>
        <Empty icon="chart" title="No hubo ventas en este periodo">
          Elija otros días arriba.
        </Empty>
      </Section>
    );
  }
  const { short } = names[by];
  const labels = by === "location" ? nameOfSede : short;
  return (
    <Section title={title}>
      {labels && rows.length > 1 && (
        <Bars
          bars={rows.map((row) => ({
            key: row.key!,
            label: labels(row),
            value: row.total,
            color: by === "location" ? colorOf(sedes, row.key) : undefined,
          }))}
          summary={`${title}: ${pesos(totals.total)} en ${plural(rows.length, "fila", "filas")}.`}
          format={pesos}
          axis={shortPesos}
        />
      )}
      <RecordTable
        label={title}
        rows={short && by !== "hour" ? rows.toReversed() : rows}
        rowKey={({ key }) => key ?? "ninguno"}
        columns={columnsOf(report, sedes)}
      />
      {report.is_cut && (
        <Text size="sm" c="dimmed" mt="sm">
          Se muestran las {number(rows.length)} filas con más ventas. Elija un periodo más corto para verlas todas.
        </Text>
      )}
    </Section>
  );
}

/** "12,5 kg"; kilos and pieces are not added up. */
const amountOf = ({ quantity: sold, unit }: Pick<Row, "quantity" | "unit">) =>
  sold === null ? "varias unidades" : `${quantity(sold)} ${unit ?? ""}`.trim();

const takenBack = (totals: SalesReport["totals"]): Column<Row>[] => [
  {
    title: "Ventas brutas",
    isNumber: true,
    isExtra: true,
    cell: ({ gross }) => pesos(gross),
    total: pesos(totals.gross),
  },
  {
    title: "Devoluciones",
    isNumber: true,
    isExtra: true,
    cell: ({ returned }) => pesos(returned),
    total: pesos(totals.returned),
  },
];

function columnsOf(report: SalesReport, sedes: readonly Sede[]): Column<Row>[] {
  const { by, totals } = report;
  const { title, full, short } = names[by];
  const name: Column<Row> = {
    title,
    cell(row) {
      const to = listOf(report, row);
      const named = to ? <Link href={to}>{full(row)}</Link> : full(row);
      if (by !== "location") return named;
      return (
        <>
          <i className="sede-dot" style={{ background: colorOf(sedes, row.key) }} /> {named}
        </>
      );
    },
  };
  const sold: Column<Row> = {
    title: valueTitle(by),
    isNumber: true,
    cell: (row) => pesos(row.total),
    total: pesos(totals.total),
  };
  const share: Column<Row> = {
    title: "Parte",
    isExtra: true,
    cell: (row) => <Share of={totals.total} part={row.total} />,
  };
  if (ofLines(by)) {
    return [
      name,
      {
        title: "Cantidad",
        isNumber: true,
        cell: amountOf,
        ...(totals.quantity !== null && { total: amountOf(totals) }),
      },
      sold,
      share,
    ];
  }
  if (by === "payment_method")
    return [
      name,
      { title: "Pagos", isNumber: true, cell: (row) => number(row.tickets), total: number(totals.tickets) },
      sold,
      share,
    ];
  return [
    name,
    { title: "Ventas", isNumber: true, cell: (row) => number(row.tickets), total: number(totals.tickets) },
    ...(totals.returned === 0 ? [] : takenBack(totals)),
    { title: "Impuestos", isNumber: true, isExtra: true, cell: (row) => pesos(row.tax), total: pesos(totals.tax) },
    {
      title: "Descuentos",
      isNumber: true,
      isExtra: true,
      cell: (row) => pesos(row.discount),
      total: pesos(totals.discount),
    },
    sold,
    ...(short ? [] : [share]),
  ];
}
