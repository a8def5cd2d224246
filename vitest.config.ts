import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts", "simulator/**/*.test.ts"],
    globalSetup: ["test/support/database.ts"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Each file has a database of its own; two at once fill two cores without stretching every timing.
    maxWorkers: 2,
  },
});
