import { BarChart, LineChart } from "@mantine/charts";
import "@mantine/charts/styles.css";
import { useMemo } from "react";
import type { Figures } from "../lib/answers.ts";
import { dayAndHour, duration, hour, number, percent, plural } from "../lib/format.ts";

const height = 230;
// The library's keyboard layer gives every chart the role of an application; the summary tells screen readers more.
const chartOptions = { accessibilityLayer: false, margin: { left: -8, right: 8, top: 8 } };

/** Nothing happens a quarter of a time. */
const wholeNumbers = { allowDecimals: false } as const;
const grid = { strokeDasharray: 0, gridColor: "var(--line)" } as const;
const ticks = { interval: "equidistantPreserveStart", minTickGap: 16 } as const;

function useSteps(figures: Figures) {
  return useMemo(
    () =>
      figures.steps.map((step) => ({
        ...step,
        label: figures.period === "24h" ? hour(step.at) : dayAndHour(step.at),
      })),
    [figures],
  );
}

/** In words, what the chart of attempts shows. */
export function attemptsText({ totals }: Figures): string {
  const { delivered, failed, dropped, success_rate } = totals;
  if (success_rate === null) return "Ningún intento en el periodo.";
  return `${percent(success_rate)} de éxito: ${plural(delivered, "intento llegó", "intentos llegaron")}, ${plural(failed, "falló", "fallaron")} y ${plural(dropped, "entrega se descartó", "entregas se descartaron")}.`;
}

/** Attempts in the hour they were made, so that an outage shows while its deliveries are still being retried. */
export function AttemptsChart({ figures }: { figures: Figures }) {
  const steps = useSteps(figures);
  if (figures.totals.success_rate === null) return null;
  return (
    <LabelledChart summary={`Intentos de entrega: ${attemptsText(figures)}`}>
      <BarChart
        {...grid}
        h={height}
        data={steps}
        dataKey="label"
        xAxisProps={ticks}
        type="stacked"
        yAxisProps={wholeNumbers}
        withLegend
        legendProps={{ verticalAlign: "bottom", height: 56 }}
        barChartProps={chartOptions}
        valueFormatter={number}
        series={[
          { name: "delivered", label: "Llegaron", color: "var(--bar)" },
          { name: "failed", label: "Fallaron", color: "var(--mantine-color-error)" },
          { name: "dropped", label: "Descartadas", color: "var(--bar-before)" },
        ]}
      />
    </LabelledChart>
  );
}

export function EventsChart({ figures }: { figures: Figures }) {
  return (
    <LabelledChart summary={`Eventos: ${number(figures.totals.events)} en el periodo.`}>
      <BarChart
        {...grid}
        h={height}
        data={useSteps(figures)}
        dataKey="label"
        xAxisProps={ticks}
        yAxisProps={wholeNumbers}
        barChartProps={chartOptions}
        barProps={{ radius: [4, 4, 0, 0] }}
        valueFormatter={number}
        series={[{ name: "events", label: "Eventos", color: "var(--bar)" }]}
      />
    </LabelledChart>
  );
}

export function LatencyChart({ figures }: { figures: Figures }) {
  const { p50_ms, p95_ms } = figures.totals;
  const summary =
    p50_ms === null || p95_ms === null
      ? "Latencia: sin entregas en el periodo."
      : `Latencia: la mitad de las entregas tardó hasta ${duration(p50_ms)} y 95 de cada 100 hasta ${duration(p95_ms)}.`;
  return (
    <LabelledChart summary={summary}>
      <LineChart
        {...grid}
        h={height}
        data={useSteps(figures)}
        dataKey="label"
        xAxisProps={ticks}
        withLegend
        legendProps={{ verticalAlign: "bottom", height: 56 }}
        lineChartProps={chartOptions}
        valueFormatter={duration}
        curveType="linear"
        connectNulls
        // A point without neighbours has no line: only its dot shows it.
        withDots
        dotProps={{ r: 3 }}
        series={[
          { name: "p50_ms", label: "La mitad", color: "var(--bar)" },
          { name: "p95_ms", label: "95 de cada 100", color: "var(--yellow-ink)" },
        ]}
      />
    </LabelledChart>
  );
}

function LabelledChart({ summary, children }: { summary: string; children: React.ReactNode }) {
  return (
    <div role="img" aria-label={summary}>
      {children}
    </div>
  );
}
