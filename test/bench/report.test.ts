import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Chart, drawChart } from "../../bench/report/chart.ts";
import { type Measured, type Measurements, renderPage } from "../../bench/report/render.ts";
import { writeReport } from "../../bench/report/write-report.ts";

const machine = { processor: "2 × Chip", memory: "8 GB", kernel: "Linux 6.1", node: "24.1.0", postgres: "18.1" };

const chart: Chart = {
  file: "growth-sales",
  title: "p50 of <each> read & page",
  unit: "ms",
  along: "rows",
  at: [10_000, 100_000, 10_000_000],
  series: [
    { name: 'GET /sales, "first" page', values: [0.5, 0.75, 1] },
    { name: "GET /sales/{id}", values: [0.31, 0.32, 0.33] },
  ],
};

function measured(fields: Partial<Measured> = {}): Measured {
  return { takenOn: "2026-11-15", command: "npm run bench -- writes", machine, figures: [], charts: [], ...fields };
}

const growth = measured({
  figures: [
    { name: "GET /sales, first page, 10000000 rows against 10000", unit: "ms", ours: 1, limit: 0.5, ratio: 2 },
    { name: "GET /sales/{id}, 10000000 rows against 10000", unit: "ms", ours: 0.33, limit: 0.31, ratio: 1.065 },
    { name: "POST /customers, 1000 accounts against 1", unit: "requests/s", ours: 12_343, limit: 9_000, ratio: 1.371 },
  ],
  charts: [chart],
});

describe("the page", () => {
  test("has a row per figure, with its target and whether it is met", () => {
    const page = renderPage({ growth });
    expect(page).toContain(
      "| GET /sales, first page, 10000000 rows against 10000 | ms | 1 | 0.5 | 2.00 | ≤ 1.5 | no |",
    );
    expect(page).toContain("| GET /sales/{id}, 10000000 rows against 10000 | ms | 0.33 | 0.31 | 1.06 | ≤ 1.5 | yes |");
    expect(page).toContain("| POST /customers, 1000 accounts against 1 | requests/s | 12 343 | 9000 | 1.37 |  |  |");
    expect(page).toContain("(charts/growth-sales.svg)");
  });

  test("names the machine once, and again only where a section was measured on another", () => {
    const other = { ...machine, processor: "64 × Chip" };
    const older = measured({ takenOn: "2026-11-01", machine: other });
    expect(renderPage({ growth, writes: measured() })).not.toContain("another machine");
    const mixed = renderPage({ growth, writes: older });
    expect(mixed).toContain("| 2 × Chip | 8 GB | Linux 6.1 | 24.1.0 | 18.1 |");
    expect(mixed).toContain("Measured on another machine: 64 × Chip");
  });
});

describe("a chart", () => {
  test("is well-formed XML, whatever its names contain", () => {
    expect(unclosed(drawChart(chart))).toEqual([]);
  });

  test("has each point of each curve", () => {
    const svg = drawChart(chart);
    const points = [...svg.matchAll(/<circle [^>]*><title>([^<]*)<\/title>/g)].map((match) => match[1]);
    expect(points).toEqual([
      "10 k rows: 0.5 ms",
      "100 k rows: 0.75 ms",
      "10 M rows: 1 ms",
      "10 k rows: 0.31 ms",
      "100 k rows: 0.32 ms",
      "10 M rows: 0.33 ms",
    ]);
  });

  test("draws from zero: half the value is half as high", () => {
    const heights = [...drawChart(chart).matchAll(/<circle [^>]*cy="([\d.]+)"/g)].map((match) => Number(match[1]));
    const bottom = Number(/<line [^>]*y1="([\d.]+)"/.exec(drawChart(chart))![1]);
    expect(bottom - heights[0]!).toBeCloseTo((bottom - heights[2]!) / 2, 1);
  });
});

describe("writing", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "mostrador-report-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  test("keeps the sections that were not measured again, and deletes charts without a section", async () => {
    await writeReport({ growth, writes: measured({ takenOn: "2026-11-01" }) }, folder);
    await writeReport({ writes: measured({ takenOn: "2026-11-20" }) }, folder);
    expect(await readdir(join(folder, "charts"))).toEqual(["growth-sales.svg"]);
    const kept = JSON.parse(await readFile(join(folder, "benchmarks.json"), "utf8")) as Measurements;
    expect(kept.growth).toEqual(growth);
    const page = await readFile(join(folder, "benchmarks.md"), "utf8");
    expect(page).toContain("2026-11-20");
    expect(page).not.toContain("2026-11-01");

    await writeReport({ growth: { ...growth, charts: [] } }, folder);
    expect(await readdir(join(folder, "charts"))).toEqual([]);
  });
});

/** Elements left open or closed out of order, by name; a stray markup character counts as an element. */
function unclosed(xml: string): string[] {
  const open: string[] = [];
  const rest = xml.replace(
    /<(\/?)([a-z]+)((?: [a-zA-Z:0-9]+="[^"<>]*")*)(\/?)>/g,
    (_, closing, name, _attributes, empty) => {
      if (closing && open.at(-1) === name) open.pop();
      else if (!empty) open.push(name);
      return "";
    },
  );
  return [...open, ...(rest.match(/[<>]|&(?!amp;|lt;|gt;|quot;)/g) ?? [])];
}
