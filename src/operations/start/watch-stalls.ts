import { type PerformanceEntry, PerformanceObserver } from "node:perf_hooks";
import type { Metrics } from "../../lib/metrics.ts";
import { must } from "../../lib/must.ts";

const lookEveryMs = 10;
/** Requests that arrive during a stall wait for its end; below this they cannot tell it from the network. */
const stallMs = 10;
/** Whatever had less than this share of a stall is not its cause. */
const causeShare = 0.5;

export type StallCause = "collector" | "code" | "processor";

/** What held up the event loop: V8's collector, our own code, or a processor that others had. All times in milliseconds. */
export function causeOf({
  lasted,
  collecting,
  used,
}: {
  lasted: number;
  collecting: number;
  used: number;
}): StallCause {
  if (collecting >= lasted * causeShare) return "collector";
  return used >= lasted * causeShare ? "code" : "processor";
}

/** Counts how often, and for how long, nothing was answered because the event loop was late, by cause. */
export function watchStalls(metrics: Metrics): { stop: () => void } {
  const causes: readonly StallCause[] = ["collector", "code", "processor"];
  const seriesOf = (cause: StallCause) => ({
    count: metrics.counter("mostrador_stalls_total", "Times the event loop came 10 ms late or more, by cause.", {
      cause,
    }),
    seconds: metrics.counter("mostrador_stall_seconds_total", "How long those stalls lasted, by cause.", { cause }),
  });
  const series = new Map(causes.map((cause) => [cause, seriesOf(cause)]));

  let collections: PerformanceEntry[] = [];
  const observer = new PerformanceObserver((list) => collections.push(...list.getEntries()));
  observer.observe({ entryTypes: ["gc"] });
  let [before, usedBefore] = [performance.now(), process.threadCpuUsage()];
  const timer = setInterval(() => {
    const now = performance.now();
    const used = process.threadCpuUsage(usedBefore);
    const lasted = now - before - lookEveryMs;
    if (lasted >= stallMs) note({ from: before, lasted, used: (used.user + used.system) / 1_000 });
    collections = [];
    [before, usedBefore] = [now, process.threadCpuUsage()];
  }, lookEveryMs);
  timer.unref();

  function note({ from, lasted, used }: { from: number; lasted: number; used: number }): void {
    const seen = [...collections, ...observer.takeRecords()].filter(({ startTime }) => startTime >= from);
    const collecting = seen.reduce((sum, { duration }) => sum + duration, 0);
    const of = must(series.get(causeOf({ lasted, collecting, used })), "Every cause has its series");
    of.count.value += 1;
    of.seconds.value += lasted / 1_000;
  }

  return {
    stop() {
      clearInterval(timer);
      observer.disconnect();
    },
  };
}
