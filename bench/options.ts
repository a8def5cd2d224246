import type { Chart } from "./report/chart.ts";

export interface BenchOptions {
  /** How long each measurement lasts, and how often it is repeated; the median counts. */
  seconds: number;
  rounds: number;
  /** Size of the large data set. */
  rows: number;
  /** Another checkout of this project to compare with. */
  against?: string | undefined;
  note: (text: string) => void;
  /** Adds a chart to the written report. */
  chart: (chart: Chart) => void;
}
