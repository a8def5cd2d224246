// Runs the suites named below on the Citus whose coordinator is CITUS_URL: any database there that knows the nodes.
import { spawnSync } from "node:child_process";

/** These end nodes and start them again: nothing else may run beside them. */
const alone = ["test/citus"];
const suites = [
  "test/api",
  "test/sync",
  "test/webhooks",
  "test/fiscal",
  "test/mail",
  "test/portal/one-number.test.ts",
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
  const run = (workers, names) => {
    const vitest = ["node_modules/vitest/vitest.mjs", "run", `--maxWorkers=${workers}`, ...names];
    return spawnSync("node_modules/.bin/node", vitest, { stdio: "inherit" }).status ?? 1;
  };
  const asked = process.argv.slice(2);
  process.exitCode = asked.length > 0 ? run(1, asked) : run(2, suites) || run(1, alone);
}
