import type { Figure } from "../support/measure.ts";
import type { Chart } from "./chart.ts";
import type { Machine } from "./machine.ts";
import { judge, type Section, sections } from "./sections.ts";

/** The last run of one benchmark, as stored in docs/benchmarks.json. */
export interface Measured {
  takenOn: string;
  command: string;
  machine: Machine;
  figures: Figure[];
  charts: Chart[];
}

/** By the benchmark's name. */
export type Measurements = Record<string, Measured>;

/** docs/benchmarks.md: the measurements, and how to repeat them. */
export function renderPage(measurements: Measurements): string {
  const known = Object.entries(sections).filter(([name]) => measurements[name]);
  const newest = known.map(([name]) => measurements[name]!).toSorted((a, b) => (a.takenOn < b.takenOn ? 1 : -1))[0];
  const parts = known.map(([name, about]) => renderSection(about, measurements[name]!, newest!.machine));
  return `# Benchmarks

Written by \`npm run bench\`, from the figures in [benchmarks.json](benchmarks.json). \`npm run bench -- reads writes --write\` measures some
of them anew and keeps the others; names are ${Object.keys(sections)
    .map((name) => `\`${name}\``)
    .join(", ")}. \`--seconds\`, \`--rounds\` and \`--rows\` change how long, how
often and on how many rows; \`--json\` prints \`{name, unit, ours, limit, ratio}\`.

Ours and the limit are taken in turns in the same run, and the median of the rounds counts; ratio is ours / limit. Service, load and
PostgreSQL, with the durable settings of \`npm start\`, share one machine.
${newest ? `\n${machineTable(newest.machine)}\n` : ""}
${parts.join("\n")}`;
}

function machineTable(machine: Machine): string {
  return [
    "| Processor | Memory | Kernel | Node | PostgreSQL |",
    "|---|---|---|---|---|",
    `| ${machineCells(machine).join(" | ")} |`,
  ].join("\n");
}

function machineCells({ processor, memory, kernel, node, postgres }: Machine): string[] {
  return [processor, memory, kernel, node, postgres];
}

function renderSection(
  about: Section,
  { takenOn, command, machine, figures, charts }: Measured,
  usual: Machine,
): string {
  const isUsual = machineCells(machine).join() === machineCells(usual).join();
  const hasRequirements = figures.some((figure) => judge(about, figure));
  const elsewhere = isUsual ? "" : ` Measured on another machine: ${machineCells(machine).join(", ")}.`;
  return `## ${about.title}

${about.method}

${takenOn}, \`${command}\`.${elsewhere}

| What | Unit | Ours | Limit | Ratio |${hasRequirements ? " Asked | Met |" : ""}
|---|---|--:|--:|--:|${hasRequirements ? "---|---|" : ""}
${figures.map((figure) => renderRow(about, figure, hasRequirements)).join("\n")}
${charts.map(({ file, title }) => `\n![${title}](charts/${file}.svg)\n`).join("")}`;
}

function renderRow(about: Section, figure: Figure, hasRequirements: boolean): string {
  const { name, unit, ours, limit, ratio } = figure;
  const judged = judge(about, figure);
  const verdict = judged ? [judged.text, judged.isMet ? "yes" : "no"] : ["", ""];
  const cells = [name.replaceAll("|", "\\|"), unit, spaced(ours), spaced(limit), ratio.toFixed(2)];
  return `| ${[...cells, ...(hasRequirements ? verdict : [])].join(" | ")} |`;
}

/** With spaces between thousands: 12 343. */
function spaced(value: number): string {
  const [whole, part] = String(value).split(".");
  const grouped = whole!.length > 4 ? whole!.replace(/\B(?=(\d{3})+$)/g, " ") : whole!;
  return part === undefined ? grouped : `${grouped}.${part}`;
}
