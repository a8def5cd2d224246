import { minute, second } from "./clock.ts";

/** Further away than this is said out loud; requests go on. */
export const worthSayingMs = 5 * second;
/** Further away than this, either clock may be the wrong one: nothing is written or dropped by it. */
export const farthestMs = minute;
/** A wall clock that gains this much on the monotonic one was set by somebody, or the machine slept. */
const stepMs = second;

/** What the database's clock showed between two looks at this process's time. */
export interface Reading {
  before: number;
  shown: number;
  after: number;
}

/**
 * The time as the database has it. Between comparisons it runs on by the host's clock, but does not follow it when that is
 * set: a step is taken out at once, so no write between two comparisons is stamped by it.
 */
export interface SteadyTime {
  now(): number;
  /** How far the host's clock is ahead of the database's; negative when it is behind. */
  aheadMs(): number;
  /** Takes in a comparison with the database. */
  learn(reading: Reading): void;
  /** Called when the host's clock was set: the database should be asked again. */
  onStep(listener: () => void): void;
}

export function steadyTime(wall = () => Date.now(), monotonic = () => performance.now()): SteadyTime {
  let base = wall() - monotonic();
  let correction = 0;
  let ahead = 0;
  let isCompared = false;
  let stepped = () => {};

  function now(): number {
    const at = wall();
    const step = at - monotonic() - base;
    if (Math.abs(step) >= stepMs) {
      base += step;
      correction -= step;
      ahead += step;
      stepped();
    }
    return at + correction;
  }

  return {
    now,
    aheadMs() {
      now();
      return ahead;
    },
    learn({ before, shown, after }) {
      // The question took a while: a difference that fits into it says nothing.
      const isWithin = shown >= before && shown <= after;
      const off = isWithin ? 0 : shown - (before + after) / 2;
      ahead = 0 - (correction + off);
      // While the two disagree, whatever both agreed on last goes on: a database that was replaced by one with a wrong clock
      // is not followed, and neither is the host. At the start there is nothing to go by, and the database is right.
      if (Math.abs(ahead) <= farthestMs || !isCompared) correction += off;
      isCompared = true;
      base = wall() - monotonic();
    },
    onStep(listener) {
      stepped = listener;
    },
  };
}
