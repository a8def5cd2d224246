import { setTimeout as delay } from "node:timers/promises";
import { isUnavailable } from "./transaction.ts";

const firstWaitMs = 100;
const longestWaitMs = 2_000;

/** Repeats what failed because the database was away, until it succeeds or `mayRepeat` says that nobody waits for it. */
export async function insist<T>(work: () => Promise<T>, mayRepeat: (error: Error) => boolean): Promise<T> {
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
    try {
      return await work();
    } catch (error) {
      if (!isUnavailable(error) || !mayRepeat(error as Error)) throw error;
      await delay(waitMs);
    }
  }
}
