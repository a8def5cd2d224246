import type { ShiftedClock } from "./clock.ts";

/**
 * Runs a task now, at every interval, and whenever the test clock jumps. Runs never overlap, and are skipped while the
 * clock is not trusted.
 */
export function runEvery(
  clock: ShiftedClock,
  everyMs: number,
  task: () => Promise<unknown>,
  onError: (error: Error) => void,
): { stop: () => Promise<void> } {
  let running: Promise<unknown> = Promise.resolve();
  const runNow = () => {
    if (clock.isTrusted()) running = running.then(task).catch(onError);
  };
  const timer = setInterval(runNow, everyMs);
  timer.unref();
  const unsubscribe = clock.onShift(runNow);
  runNow();
  return {
    async stop() {
      clearInterval(timer);
      unsubscribe();
      await running;
    },
  };
}
