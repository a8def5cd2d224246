import type { ShiftedClock } from "./clock.ts";

/** Looks now, every so often, and when the test clock jumps; one look at a time, and none by a clock that is wrong. */
export function lookEvery(
  clock: ShiftedClock,
  everyMs: number,
  look: () => Promise<unknown>,
  onError: (error: Error) => void,
): { stop: () => Promise<void> } {
  let running: Promise<unknown> = Promise.resolve();
  const lookNow = () => {
    if (clock.isTrusted()) running = running.then(look).catch(onError);
  };
  const timer = setInterval(lookNow, everyMs);
  timer.unref();
  const deaf = clock.onShift(lookNow);
  lookNow();
  return {
    async stop() {
      clearInterval(timer);
      deaf();
      await running;
    },
  };
}
