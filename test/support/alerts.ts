import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectDir } from "./process.ts";

export const rulesFile = join(projectDir, "ops/prometheus/alerts.yml");

/** Prometheus' own tool, of Debian's package prometheus. */
export const hasPromtool = spawnSync("promtool", ["--version"]).status === 0;
export const withoutPromtool = "promtool is missing (Debian: apt-get install prometheus)";

/** Runs `promtool test rules` on a file; returns what it complains about. */
export function testRules(file: string): string {
  const { status, stdout, stderr } = spawnSync("promtool", ["test", "rules", file], { encoding: "utf8" });
  return status === 0 ? "" : `${stdout}${stderr}`;
}

export interface Scrape {
  /** Unix time, in seconds. */
  at: number;
  /** "counter", "gauge" or "histogram", by family. */
  types: Map<string, string>;
  samples: Map<string, number>;
}

/** What a process prints at /metrics, and when. */
export function scraped(text: string): Scrape {
  const types = new Map([...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name, type]) => [name!, type!]));
  const samples = [...text.matchAll(/^(\w+(?:\{.*\})?) (\S+)$/gm)].map(([, series, value]) => [series!, Number(value)]);
  return { at: Date.now() / 1000, types, samples: new Map(samples as [string, number][]) };
}

export async function scrape({ adminUrl }: { adminUrl: string }): Promise<Scrape> {
  return scraped(await (await fetch(`${adminUrl}/metrics`)).text());
}

/** How long each of the two is read, once a minute. */
const readings = 61;

/**
 * Checks which alerts fire after an hour in which Prometheus read the first scrape and one in which it read the second, as if
 * what was counted between the two were counted every minute. Without a second one the process does not answer.
 * `among` leaves out alerts that may fire or not.
 */
export function alertsProblem(
  healthy: Scrape,
  broken: Scrape | undefined,
  expected: readonly string[],
  among: readonly string[] = ["Mostrador.+"],
): string {
  const folder = mkdtempSync(join(tmpdir(), "mostrador-alerts-"));
  try {
    const file = join(folder, "fault.yml");
    writeFileSync(file, unitTest(healthy, broken, expected, among));
    return testRules(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function unitTest(
  healthy: Scrape,
  broken: Scrape | undefined,
  expected: readonly string[],
  among: readonly string[],
): string {
  const names = new Set([...healthy.samples.keys(), ...(broken?.samples.keys() ?? [])]);
  const series = Array.from(names, (name) => ({ series: labelled(name), values: values(name, healthy, broken) }));
  series.push({ series: labelled("up"), values: `${half(1)} ${half(broken ? 1 : 0)}` });
  const expr = `group by (alertname) (ALERTS{alertstate="firing",alertname=~"${among.join("|")}"})`;
  const firing = expected.map((name) => ({ labels: `{alertname="${name}"}`, value: 1 }));
  // JSON is YAML.
  return JSON.stringify({
    rule_files: [rulesFile],
    evaluation_interval: "1m",
    tests: [
      {
        interval: "1m",
        input_series: series,
        promql_expr_test: [
          { expr, eval_time: `${readings - 1}m`, exp_samples: [] },
          { expr, eval_time: `${2 * readings - 1}m`, exp_samples: firing },
        ],
      },
    ],
  });
}

/** As Prometheus stores it: with the labels of where it was read. */
function labelled(series: string): string {
  const [name, labels = ""] = series.split(/\{(.*)\}$/s);
  return `${name}{${labels}${labels && ","}job="mostrador",instance="127.0.0.1:3001"}`;
}

function values(series: string, healthy: Scrape, broken: Scrape | undefined): string {
  const [before, after] = [healthy.samples.get(series), broken?.samples.get(series)];
  if (familyOf(series).endsWith("_time_seconds")) return `${aged(before, healthy, 0)} ${aged(after, broken, readings)}`;
  const grows = (broken ?? healthy).types.get(familyOf(series)) !== "gauge";
  return `${half(before)} ${half(after, grows ? (after ?? 0) - (before ?? 0) : 0)}`;
}

/** An instant keeps its age: in a test of rules time begins at zero. */
function aged(value: number | undefined, scrape: Scrape | undefined, fromMinute: number): string {
  return half(value === undefined ? undefined : value - scrape!.at + fromMinute * 60, 60);
}

function half(value: number | undefined, perMinute = 0): string {
  return value === undefined ? `_x${readings}` : `${value}+${Math.max(0, perMinute)}x${readings - 1}`;
}

function familyOf(series: string): string {
  return series.replace(/\{.*$/s, "").replace(/_(bucket|sum|count)$/, "");
}
