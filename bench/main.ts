import { parseArgs } from "node:util";
import type { BenchOptions } from "./options.ts";
import type { Chart } from "./report/chart.ts";
import { describeMachine } from "./report/machine.ts";
import { writeReport } from "./report/write-report.ts";
import type { Figure } from "./support/measure.ts";

/** Every benchmark, by its name on the command line. */
const benchmarks: Record<string, () => Promise<{ run: (options: BenchOptions) => Promise<Figure[]> }>> = {
  reads: () => import("./reads.ts"),
  writes: () => import("./writes.ts"),
  exports: () => import("./exports.ts"),
  sync: () => import("./sync.ts"),
  webhooks: () => import("./webhooks.ts"),
  fiscal: () => import("./fiscal.ts"),
  growth: () => import("./growth.ts"),
  starving: () => import("./starving.ts"),
  neighbours: () => import("./neighbours.ts"),
  portal: () => import("./portal.ts"),
  imports: () => import("./imports.ts"),
  caja: () => import("./caja.ts"),
  orders: () => import("./orders.ts"),
  "end-to-end": () => import("./end-to-end.ts"),
  capacity: () => import("./capacity.ts"),
};

/** Rows of the large data set; --rows overrides them. */
const defaultRows: Record<string, number> = {
  reads: 1_000_000,
  exports: 1_000_000,
  fiscal: 1_000,
  growth: 10_000_000,
  portal: 1_000_000,
  imports: 10_000,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    seconds: { type: "string", default: "4" },
    rounds: { type: "string", default: "5" },
    rows: { type: "string" },
    against: { type: "string" },
  },
});
const names = positionals.length > 0 ? positionals : Object.keys(benchmarks);
const unknown = names.find((name) => !(name in benchmarks));
if (unknown !== undefined) {
  console.error(`There is no benchmark "${unknown}": choose from ${Object.keys(benchmarks).join(", ")}.`);
  process.exit(1);
}
const writes = values.write || positionals.length === 0;

const figures: Figure[] = [];
for (const name of names) {
  const { run } = await benchmarks[name]!();
  const charts: Chart[] = [];
  const rows = Number(values.rows ?? defaultRows[name] ?? 0);
  const results = await run({
    seconds: Number(values.seconds),
    rounds: Number(values.rounds),
    rows,
    against: values.against,
    note: (text) => console.error(text),
    chart: (chart) => charts.push(chart),
  });
  figures.push(...results);
  // After each benchmark, so that its results are kept if a later one fails.
  if (writes) {
    const sizes = name in defaultRows ? ` --rows ${rows}` : "";
    const command = `npm run bench -- ${name} --seconds ${values.seconds} --rounds ${values.rounds}${sizes}`;
    const takenOn = new Date().toISOString().slice(0, 10);
    await writeReport({ [name]: { takenOn, command, machine: await describeMachine(), figures: results, charts } });
  }
}
if (values.json) console.log(JSON.stringify(figures));
else {
  const width = Math.max(...figures.map(({ name }) => name.length));
  for (const { name, unit, ours, limit, ratio } of figures) {
    console.log(
      `${name.padEnd(width)}  ${String(ours).padStart(9)} ${unit}  limit ${String(limit).padStart(9)}  ratio ${ratio.toFixed(3)}`,
    );
  }
}
