import { setTimeout as delay } from "node:timers/promises";
import { isUnavailable } from "./transaction.ts";

const firstWaitMs = 100;
const maxWaitMs = 2_000;

/** Retries work that failed because the database was unavailable, for as long as `mayRetry` allows. */
export async function retryWhileUnavailable<T>(
  work: () => Promise<T>,
  mayRetry: (error: Error) => boolean,
): Promise<T> {
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, maxWaitMs)) {
    try {
      return await work();
    } catch (error) {
      if (!isUnavailable(error) || !mayRetry(error as Error)) throw error;
      await delay(waitMs);
    }
  }
}
