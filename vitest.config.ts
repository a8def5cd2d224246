import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { SecondTries, waitedInVain } from "./test/support/second-tries.ts";
import { SlowFirst } from "./test/support/slow-first.ts";

export default defineConfig({
  test: {
    include: [
      "src/**/*.test.ts",
      "test/**/*.test.ts",
      "simulator/**/*.test.ts",
      "register/**/*.test.ts",
      "caja/**/*.test.ts",
    ],
    globalSetup: ["test/support/database.ts"],
    // Deadlines for what never comes, not claims about speed: a busy machine may take several times as long as a quiet one.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000, interval: 10 } },
    // Among twelve thousand tests, one wait in vain is tried again, and named at the end. A wrong value never is.
    retry: { count: 1, condition: waitedInVain },
    reporters: ["default", new SecondTries()],
    setupFiles: ["test/support/seen-at-failure.ts"],
    // Each file has a database of its own. Many wait for processes and timers: a third one fills two cores.
    maxWorkers: 3,
    // Files share a worker's modules: importing the service again for each file took half of the processor's time.
    isolate: false,
    // Node strips the types itself, as in the service: nothing is transformed, and no import is read through an accessor.
    experimental: { viteModuleRunner: false },
    // Services that tests start as processes of their own compile their modules once, not each time.
    env: { NODE_COMPILE_CACHE: join(tmpdir(), "node-compile-cache") },
    sequence: { sequencer: SlowFirst },
  },
});
