import { readFile, writeFile } from "node:fs/promises";
import { shortNumber } from "../report/chart.ts";
import type { Measured } from "../report/render.ts";
import { assumptions, readCosts, type Size, shopsUntilLimit, sizeFor } from "./model.ts";

export const modelledShops = [1, 20_000, 2_000_000];
const [start, end] = ["<!-- capacity: written by npm run bench -- capacity --write -->", "<!-- /capacity -->"];

const rows: { what: string; of: (size: Size) => number; moves: string }[] = [
  { what: "sales a day", of: (size) => size.salesPerDay, moves: "" },
  { what: "sales a second at the peak", of: (size) => size.peakSalesPerSecond, moves: "" },
  {
    what: "processes of one core",
    of: (size) => size.processes,
    moves: "more processes: they share nothing but the database",
  },
  { what: "cores of PostgreSQL", of: (size) => size.databaseCores, moves: "a larger server, then shards" },
  {
    what: "database servers, each with a standby",
    of: (size) => size.databases,
    moves: "Citus or several installations",
  },
  { what: "memory of the processes, GB", of: (size) => size.memoryGigabytes, moves: "" },
  { what: "disk that is kept, GB a day", of: (size) => size.keptGigabytesPerDay, moves: "sales are never dropped" },
  {
    what: "disk of what leaves after 30 days, GB",
    of: (size) => size.passingGigabytes,
    moves: "the retention of events",
  },
  {
    what: "to each standby and the archive, Mbit/s",
    of: (size) => size.walMegabitsPerSecond,
    moves: "`wal_compression`",
  },
  {
    what: "to and from registers, Mbit/s",
    of: (size) => size.trafficMegabitsPerSecond,
    moves: "compression at the proxy",
  },
  { what: "core-hours a month for one shop", of: (size) => size.coreHoursPerShopAndMonth, moves: "" },
];

/** The page's part about capacity, from the figures of a run. */
export function capacityText({ takenOn, command, machine, figures }: Measured): string {
  const cost = readCosts(figures);
  const sizes = modelledShops.map((shops) => sizeFor(shops, cost));
  const limit = shopsUntilLimit(cost);
  const { salesPerShopAndDay, busyShare, coresPerDatabase } = assumptions;
  return [
    `Computed from the costs of one sale in [benchmarks.md](benchmarks.md#capacity) (${takenOn}, \`${command}\`, ${machine.processor}). Assumed: ${salesPerShopAndDay} sales a day in each shop, ${shortNumber((assumptions.peakSalesPerShopAndSecond * 86_400) / salesPerShopAndDay)} times`,
    `the day's average in the busiest second, cores that are ${100 * busyShare} % busy then, and database servers of ${coresPerDatabase} cores. One process then carries ${shortNumber(limit.perProcess)} shops, and one database server ${shortNumber(limit.perDatabase)}.`,
    "Webhooks, reads by integrators and fiscal documents come on top; [benchmarks.md](benchmarks.md) has their costs. No installation of the larger sizes was run.",
    "",
    `| Shops | ${sizes.map(({ shops }) => spaced(shops)).join(" | ")} | What moves it |`,
    `|---|${"--:|".repeat(sizes.length)}---|`,
    ...rows.map(
      ({ what, of, moves }) => `| ${what} | ${sizes.map((size) => shortNumber(of(size))).join(" | ")} | ${moves} |`,
    ),
    "",
    "![Cores by the number of shops](charts/capacity.svg)",
  ].join("\n");
}

/** Replaces what stands between the two marks of the page. */
export async function writeCapacity(measured: Measured, page: string): Promise<void> {
  const text = await readFile(page, "utf8");
  const [from, to] = [text.indexOf(start), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${page} has no place for the capacity: ${start} … ${end}`);
  await writeFile(page, `${text.slice(0, from + start.length)}\n${capacityText(measured)}\n${text.slice(to)}`);
}

function spaced(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, " ");
}
