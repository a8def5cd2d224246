import { parseArgs } from "node:util";
import type { Figure } from "./support/measure.ts";

export interface BenchOptions {
  /** How long each measurement lasts, and how many of each are taken in turn; the median counts. */
  seconds: number;
  rounds: number;
  /** Size of the large data set. */
  rows: number;
  note(text: string): void;
}

/** Every benchmark, by the name that calls it. */
const benchmarks: Record<string, () => Promise<{ run(options: BenchOptions): Promise<Figure[]> }>> = {
  reads: () => import("./reads.ts"),
  writes: () => import("./writes.ts"),
  webhooks: () => import("./webhooks.ts"),
  sync: () => import("./sync.ts"),
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: "boolean", default: false },
    seconds: { type: "string", default: "4" },
    rounds: { type: "string", default: "5" },
    rows: { type: "string", default: "1000000" },
  },
});
const names = positionals.length > 0 ? positionals : Object.keys(benchmarks);
const unknown = names.find((name) => !(name in benchmarks));
if (unknown !== undefined) {
  console.error(`There is no benchmark "${unknown}": choose from ${Object.keys(benchmarks).join(", ")}.`);
  process.exit(1);
}

const figures: Figure[] = [];
for (const name of names) {
  const { run } = await benchmarks[name]!();
  figures.push(
    ...(await run({
      seconds: Number(values.seconds),
      rounds: Number(values.rounds),
      rows: Number(values.rows),
      note: (text) => console.error(text),
    })),
  );
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
