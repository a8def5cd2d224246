import type { Chart } from "./report/chart.ts";

export interface BenchOptions {
  /** How long each measurement lasts, and how many of each are taken in turn; the median counts. */
  seconds: number;
  rounds: number;
  /** Size of the large data set. */
  rows: number;
  note: (text: string) => void;
  /** Hands over curves for the written report. */
  chart: (chart: Chart) => void;
}
