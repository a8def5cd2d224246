import { minute, second } from "./clock.ts";

/** A larger difference is logged; requests continue. */
export const warnOffsetMs = 5 * second;
/** With a larger difference, either clock may be wrong: nothing is written or dropped. */
export const maxTrustedOffsetMs = minute;
/** A wall clock that gains this much on the monotonic clock was set, or the machine slept. */
const stepMs = second;

/** The database's time, and this process's time before and after the query. */
export interface Reading {
  before: number;
  shown: number;
  after: number;
}

/**
 * The database's time. Between comparisons it advances with the host's clock, but ignores steps of that clock, so that no
 * write between two comparisons gets a wrong timestamp.
 */
export interface SteadyTime {
  now(): number;
  /** How far the host's clock is ahead of the database's; negative when it is behind. */
  aheadMs(): number;
  /** Applies a comparison with the database. */
  learn(reading: Reading): void;
  /** Called when the host's clock was set: it is time for another comparison. */
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
      // A difference smaller than the round trip means nothing.
      const isWithin = shown >= before && shown <= after;
      const off = isWithin ? 0 : shown - (before + after) / 2;
      ahead = 0 - (correction + off);
      // While the two disagree, the last agreed time continues: neither a new database server with a wrong clock nor the
      // host is followed. The first comparison has nothing to compare with, so there the database is right.
      if (Math.abs(ahead) <= maxTrustedOffsetMs || !isCompared) correction += off;
      isCompared = true;
      base = wall() - monotonic();
    },
    onStep(listener) {
      stepped = listener;
    },
  };
}
