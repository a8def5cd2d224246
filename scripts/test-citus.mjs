// Runs the suites named below on the Citus whose coordinator is CITUS_URL: any database there that knows the nodes.
import { spawnSync } from "node:child_process";

const suites = [
  "test/citus",
  "test/api",
  "test/sync",
  "test/webhooks",
  "test/fiscal",
  "test/portal/sale-totals.test.ts",
  "test/portal/reports.test.ts",
  "test/faults/cycles.test.ts",
  "test/faults/drain.test.ts",
  "test/faults/fiscal-kill.test.ts",
  "test/faults/cut-connections.test.ts",
  "test/faults/rolling-restart.test.ts",
  "test/faults/rolling-upgrade.test.ts",
  "test/faults/shared-limits.test.ts",
];

if (!process.env.CITUS_URL) {
  console.log("omitido");
} else {
  const vitest = [
    "node_modules/vitest/vitest.mjs",
    "run",
    "--maxWorkers=2",
    ...(process.argv.length > 2 ? process.argv.slice(2) : suites),
  ];
  const { status } = spawnSync("node_modules/.bin/node", vitest, { stdio: "inherit" });
  process.exitCode = status ?? 1;
}
