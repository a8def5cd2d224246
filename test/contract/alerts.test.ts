import { spawnSync } from "node:child_process";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hasPromtool, rulesFile, testRules, withoutPromtool } from "../support/alerts.ts";
import { sharedFolder } from "../support/fixtures.ts";
import { projectDir } from "../support/process.ts";

const folder = sharedFolder("mostrador-alerts-");

const rules = readFileSync(rulesFile, "utf8");
const tests = readFileSync(join(projectDir, "ops/prometheus/alerts.test.yml"), "utf8");
const faults = globSync(join(projectDir, "test/{faults,citus}/*.test.ts"))
  .map((file) => readFileSync(file, "utf8"))
  .join("\n");
const runbook = readFileSync(join(projectDir, "docs/operations.md"), "utf8");

const alerts = rules
  .split(/^ {6}- alert: /m)
  .slice(1)
  .map((text) => ({ name: text.slice(0, text.indexOf("\n")), text }));

test("the alerts pass their tests in promtool", (context) => {
  if (!hasPromtool) return context.skip(withoutPromtool);
  expect(testRules(join(projectDir, "ops/prometheus/alerts.test.yml"))).toBe("");
});

/** All those tests as if each were an installation of its own and one Prometheus read them all. */
function asManyInstallations(): string {
  const input_series: object[] = [];
  const promql_expr_test: object[] = [];
  for (const [number, text] of tests
    .split(/^ {2}- name: /m)
    .slice(1)
    .entries()) {
    const installation = `installation="${number}"`;
    for (const [, series, values] of text.matchAll(/- series: '(.*)\}'\n +values: "(.*)"/g))
      input_series.push({ series: `${series},${installation}}`, values });
    for (const [, name, eval_time, none] of text.matchAll(
      /- expr: group by .*alertname="(\w+)".*\n +eval_time: (\d+m)\n +exp_samples:( \[\])?/g,
    ))
      promql_expr_test.push({
        expr: `group by (alertname, installation) (ALERTS{alertname="${name}",alertstate="firing",${installation}})`,
        eval_time,
        exp_samples: none ? [] : [{ labels: `{alertname="${name}",${installation}}`, value: 1 }],
      });
  }
  expect(promql_expr_test.length).toBeGreaterThanOrEqual(2 * alerts.length);
  return JSON.stringify({
    rule_files: [rulesFile],
    evaluation_interval: "1m",
    tests: [{ interval: "1m", input_series, promql_expr_test }],
  });
}

test("the alerts of one installation neither hide nor cause those of another", (context) => {
  if (!hasPromtool) return context.skip(withoutPromtool);
  const file = join(folder.path, "installations.yml");
  writeFileSync(file, asManyInstallations());
  expect(testRules(file)).toBe("");
});

test("prometheus.yml loads the rules, names the job and labels each installation", (context) => {
  if (!hasPromtool) return context.skip(withoutPromtool);
  const { status, stderr } = spawnSync(
    "promtool",
    ["check", "config", join(projectDir, "ops/prometheus/prometheus.yml")],
    {
      encoding: "utf8",
    },
  );
  expect([status, stderr]).toEqual([0, ""]);
});

test.each(alerts)(
  "$name has a test, a fault that makes it fire, a summary and a place in the runbook",
  ({ name, text }) => {
    expect(tests).toContain(`alertname="${name}"`);
    expect(faults).toContain(`"${name}"`);
    expect(text).toMatch(/^ {8}for: \d+[mh]$/m);
    expect(text).toMatch(/^ {10}severity: (critical|warning)$/m);
    expect(text).toMatch(/^ {10}summary: ".{40,}\."$/m);
    expect(text).toContain(`          runbook: docs/operations.md#${name.toLowerCase()}\n`);
    expect(runbook).toContain(`\n#### ${name}\n`);
  },
);

test("the runbook has no alert that does not exist", () => {
  const named = [...runbook.matchAll(/^#### (Mostrador\w+)$/gm)].map(([, name]) => name!);
  expect(named.toSorted()).toEqual(alerts.map(({ name }) => name).toSorted());
});
