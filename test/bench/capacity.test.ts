import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { measuredNames, readCosts, shopsUntilLimit, sizeFor } from "../../bench/capacity/model.ts";
import { writeCapacity } from "../../bench/capacity/table.ts";

const ours = { service: 500, database: 250, memory: 400, kept: 6, passing: 3, wal: 20, traffic: 5 };
const figures = Object.entries(measuredNames).map(([key, name]) => {
  return { name, unit: "", ours: ours[key as keyof typeof ours], limit: 1, ratio: 1 };
});
const machine = { processor: "2 × Chip", memory: "8 GB", kernel: "Linux 6.1", node: "24.1.0", postgres: "18.1" };
const measured = { takenOn: "2026-11-20", command: "npm run bench -- capacity", machine, figures, charts: [] };

test("20 000 shops take what the costs of their sales add up to", () => {
  // 625 sales a second at 2 ms of the service and 4 ms of PostgreSQL, on cores that are half busy.
  expect(sizeFor(20_000, readCosts(figures))).toMatchObject({
    salesPerDay: 6_000_000,
    processes: 3,
    databaseCores: 5,
    databases: 1,
    memoryGigabytes: 1.2,
    keptGigabytesPerDay: 36,
    passingGigabytes: 540,
    walMegabitsPerSecond: 100,
    trafficMegabitsPerSecond: 25,
  });
  expect(shopsUntilLimit(readCosts(figures))).toEqual({ perProcess: 8000, perDatabase: 64_000 });
});

test("one shop takes one of everything, and two million take more database servers than one", () => {
  expect(sizeFor(1, readCosts(figures))).toMatchObject({ processes: 1, databaseCores: 1, databases: 1 });
  expect(sizeFor(2_000_000, readCosts(figures))).toMatchObject({ processes: 250, databaseCores: 500, databases: 32 });
});

test("a figure that was not measured is missed, not guessed", () => {
  expect(() => readCosts(figures.slice(1))).toThrow("was not measured");
});

test("the table replaces what stands between its marks, and nothing else", async () => {
  const folder = await mkdtemp(join(tmpdir(), "mostrador-capacity-"));
  const page = join(folder, "operations.md");
  const marks = ["<!-- capacity: written by npm run bench -- capacity --write -->", "<!-- /capacity -->"];
  await writeFile(page, `# Before\n${marks[0]}\nold\n${marks[1]}\n# After\n`);
  for (let i = 0; i < 2; i++) await writeCapacity(measured, page);
  const text = await readFile(page, "utf8");
  expect(text.startsWith(`# Before\n${marks[0]}\n`)).toBe(true);
  expect(text.endsWith(`${marks[1]}\n# After\n`)).toBe(true);
  expect(text).not.toContain("old");
  expect(text).toContain("| Shops | 1 | 20 000 | 2 000 000 | What moves it |");
  expect(text).toContain("| processes of one core | 1 | 3 | 250 |");
  await rm(folder, { recursive: true });
});
