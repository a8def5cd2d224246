import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const lookEveryMs = 10_000;
/**
 * A process that is busy for less than this share of the time serves nobody: its own timers take half of it, a hundred calls a
 * second five times as much. With 5 % it paused in the middle of them, and their slowest percent waited for it.
 */
const restingShare = 0.015;
/** By how much it must have grown since the last time, to be worth a pause of some 100 ms. */
const worthBytes = 24 * 1024 ** 2;

/** Gives memory back to the system when the process rests: V8 collects only while a program goes on asking for more. */
export function collectAtRest(): { stop: () => void } {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as (options: object) => void;
  let [before, bytesAfter] = [performance.eventLoopUtilization(), 0];
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    if (utilization > restingShare || process.memoryUsage.rss() - bytesAfter < worthBytes) return;
    collect({ type: "major", execution: "sync", flavor: "last-resort" });
    bytesAfter = process.memoryUsage.rss();
  }, lookEveryMs);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
