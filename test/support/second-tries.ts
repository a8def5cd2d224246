import type { Reporter, TestModule } from "vitest/node";

/** What a wait in vain says. A wrong value says something else, and fails at once. */
export const waitedInVain = /Timeout \d+ms exceeded|Test timed out|still not so after/;

/** Names, at the end, what passed only when it was tried again: each is a fault of its test or of the product, to be found. */
export class SecondTries implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tried = modules.flatMap((module) =>
      [...module.children.allTests("passed")].filter((test) => test.diagnostic()?.flaky),
    );
    for (const test of tried) {
      const [first] = test.result().errors ?? [];
      process.stdout.write(`PASSED ON THE SECOND TRY ${test.module.relativeModuleId} > ${test.fullName}\n`);
      if (first) process.stdout.write(`  ${first.message.split("\n").slice(0, 12).join("\n  ")}\n`);
    }
  }
}
