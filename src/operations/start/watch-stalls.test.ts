import { expect, test } from "vitest";
import { newMetrics } from "../../lib/metrics.ts";
import { causeOf, watchStalls } from "./watch-stalls.ts";

test("a stall is the collector's when it took half of it, whatever the processor did", () => {
  expect(causeOf({ lasted: 40, collecting: 20, used: 40 })).toBe("collector");
});

test("a stall in which the thread had the processor is our own code's", () => {
  expect(causeOf({ lasted: 40, collecting: 3, used: 39 })).toBe("code");
});

test("a stall in which the thread had no processor is somebody else's", () => {
  expect(causeOf({ lasted: 40, collecting: 0, used: 2 })).toBe("processor");
});

test("code that holds the event loop is counted with how long it did", async () => {
  const metrics = newMetrics();
  const watch = watchStalls(metrics);
  const turn = () => new Promise((done) => setTimeout(done, 30));
  // On a busy machine some of it is the processor's.
  const seconds = async () =>
    [...(await metrics.render()).matchAll(/mostrador_stall_seconds_total\{cause="(?:code|processor)"\} (\S+)/g)]
      .map(([, value]) => Number(value))
      .reduce((sum, value) => sum + value);
  try {
    await turn();
    const before = await seconds();
    const until = performance.now() + 200;
    while (performance.now() < until);
    await turn();
    expect(await seconds()).toBeGreaterThan(before + 0.1);
  } finally {
    watch.stop();
  }
});
