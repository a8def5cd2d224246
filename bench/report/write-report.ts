import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeCapacity } from "../capacity/table.ts";
import { drawChart } from "./chart.ts";
import { type Measurements, renderPage } from "./render.ts";

const docs = fileURLToPath(new URL("../../docs/", import.meta.url));

/** Adds new measurements to the stored ones and writes the page and its charts from all of them. */
export async function writeReport(taken: Measurements, folder = docs): Promise<void> {
  const dataFile = join(folder, "benchmarks.json");
  const kept = await readFile(dataFile, "utf8").then(
    (text) => JSON.parse(text) as Measurements,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return {};
      throw error;
    },
  );
  const measurements = { ...kept, ...taken };
  await writeFile(dataFile, `${JSON.stringify(measurements, null, 2)}\n`);
  await writeFile(join(folder, "benchmarks.md"), renderPage(measurements));
  await writeCharts(measurements, join(folder, "charts"));
  if (taken.capacity) await writeCapacity(taken.capacity, join(folder, "operations.md"));
}

async function writeCharts(measurements: Measurements, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const charts = Object.values(measurements).flatMap((measured) => measured.charts);
  for (const chart of charts) await writeFile(join(folder, `${chart.file}.svg`), drawChart(chart));
  const current = new Set(charts.map(({ file }) => `${file}.svg`));
  for (const file of await readdir(folder)) if (!current.has(file)) await rm(join(folder, file));
}
