import { Text } from "@mantine/core";
import { Link } from "wouter";
import type { SalesReport, TaxReport } from "../lib/answers.ts";
import {
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
import { paymentTitle, taxTitle } from "../lib/words.ts";
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
  payment_method: { title: "Medio de pago", full: ({ key }) => paymentTitle(key ?? "") },
};

const ofLines = (by: By) => by === "product" || by === "category";

/** The list behind a row, where there is one. */
function listOf({ by, from, to }: SalesReport, { key, label }: Row): string | undefined {
  if (by === "day") return `/ventas?desde=${key}&hasta=${key}`;
  if (by === "payment_method") return `/ventas?desde=${from}&hasta=${to}&medio=${encodeURIComponent(key ?? "")}`;
  if (by === "product" && key && label) return `/productos/${key}`;
  return undefined;
}

export function SalesFigures({ report: { by, totals, from, to } }: { report: SalesReport }) {
  const list = `/ventas?desde=${from}&hasta=${to}`;
  if (ofLines(by)) {
    return (
      <Figures label="Totales del periodo">
        <Figure isMain label="Vendido" value={pesos(totals.total)} to={list} note="antes de descuentos de la venta" />
        <Figure
          label="Unidades"
          value={quantity(totals.quantity ?? 0)}
          note={plural(totals.tickets, "línea", "líneas")}
        />
      </Figures>
    );
  }
  return (
    <Figures label="Totales del periodo">
      <Figure
        isMain
        label="Vendido"
        value={pesos(totals.total)}
        to={list}
        note={plural(totals.tickets, "venta", "ventas")}
      />
      <Figure
        label="Venta promedio"
        value={totals.tickets === 0 ? "–" : pesos(Math.round(totals.total / totals.tickets))}
      />
      <Figure label="Impuestos" value={pesos(totals.tax)} note="incluidos en lo vendido" />
      <Figure label="Descuentos" value={pesos(totals.discount)} />
      {totals.returned !== 0 && (
        <Figure label="Devuelto" value={pesos(totals.returned)} note="ya restado de lo vendido" />
      )}
      {totals.tip !== 0 && <Figure label="Propinas" value={pesos(totals.tip)} />}
    </Figures>
  );
}

export function SalesTable({ report, title }: { report: SalesReport; title: string }) {
  const { by, rows, totals } = report;
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
  return (
    <Section title={title}>
      {short && rows.length > 1 && (
        <Bars
          bars={rows.map((row) => ({ key: row.key!, label: short(row), value: row.total }))}
          summary={`${title}: ${pesos(totals.total)} en ${plural(rows.length, "fila", "filas")}.`}
          format={pesos}
          axis={shortPesos}
        />
      )}
      <RecordTable
        label={title}
        rows={short && by !== "hour" ? rows.toReversed() : rows}
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

function columnsOf(report: SalesReport): Column<Row>[] {
  const { by, totals } = report;
  const { title, full, short } = names[by];
  const name: Column<Row> = {
    title,
    cell(row) {
      const to = listOf(report, row);
      return to ? <Link href={to}>{full(row)}</Link> : full(row);
    },
  };
  const sold: Column<Row> = {
    title: "Vendido",
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
        title: "Unidades",
        isNumber: true,
        cell: (row) => quantity(row.quantity ?? 0),
        total: quantity(totals.quantity ?? 0),
      },
      sold,
      share,
    ];
  }
  return [
    name,
    { title: "Ventas", isNumber: true, cell: (row) => number(row.tickets), total: number(totals.tickets) },
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

export function TaxTable({ report: { rows, totals } }: { report: TaxReport }) {
  const title = "Impuestos por tarifa";
  if (rows.length === 0) {
    return (
      <Section title={title}>
        <Empty icon="chart" title="No hubo impuestos en este periodo">
          Elija otros días arriba.
        </Empty>
      </Section>
    );
  }
  return (
    <>
      <Figures label="Totales del periodo">
        <Figure isMain label="Impuestos" value={pesos(totals.amount)} />
        <Figure label="Base" value={pesos(totals.base)} note="sin los impuestos" />
      </Figures>
      <Section title={title}>
        <RecordTable
          label={title}
          rows={rows}
          rowKey={({ code, rate }) => `${code} ${rate}`}
          columns={[
            { title: "Impuesto", cell: ({ code }) => taxTitle(code) },
            {
              title: "Tarifa",
              isNumber: true,
              cell: ({ rate }) => (rate === null ? "Por unidad" : `${quantity(rate)} %`),
            },
            { title: "Base", isNumber: true, cell: ({ base }) => pesos(base), total: pesos(totals.base) },
            {
              title: "Impuesto cobrado",
              isNumber: true,
              cell: ({ amount }) => pesos(amount),
              total: pesos(totals.amount),
            },
          ]}
        />
      </Section>
    </>
  );
}
