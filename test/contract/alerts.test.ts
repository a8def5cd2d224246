import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hasPromtool, rulesFile, testRules, withoutPromtool } from "../support/alerts.ts";
import { projectDir } from "../support/process.ts";

const rules = readFileSync(rulesFile, "utf8");
const tests = readFileSync(join(projectDir, "ops/prometheus/alerts.test.yml"), "utf8");
const faults = globSync(join(projectDir, "test/faults/*.test.ts"))
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
