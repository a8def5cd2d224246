import { setTimeout as delay } from "node:timers/promises";

/** Polls until there is a result, for what no signal announces. */
export async function eventually<T>(
  ask: () => Promise<T | undefined | false> | T | undefined | false,
  withinMs = 120_000,
): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (Date.now() > deadline) throw new Error(`still not so after ${withinMs} ms: ${ask.toString()}`);
    await delay(5);
  }
}
