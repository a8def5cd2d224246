import { setTimeout as delay } from "node:timers/promises";

export interface Batches<T> {
  /** Resolves when the item's batch is stored, and rejects when it could not be. */
  add(item: T): Promise<void>;
  /** Stores what is left without waiting for more. */
  flush(): Promise<void>;
}

export interface BatchOptions {
  /** How long the first items of a batch wait for others. */
  gatherMs?: number;
  mostItems?: number;
  onIdle?: () => void;
}

/** Stores items in batches, one batch at a time; items that arrive meanwhile form the next one. */
export function batches<T>(
  store: (items: T[]) => Promise<void>,
  { gatherMs = 0, mostItems = Number.POSITIVE_INFINITY, onIdle }: BatchOptions = {},
): Batches<T> {
  const waiting: { item: T; done: PromiseWithResolvers<void> }[] = [];
  let running: Promise<void> | undefined;
  let isFlushing = false;

  async function run(): Promise<void> {
    await (gatherMs === 0 || isFlushing ? undefined : delay(gatherMs));
    while (waiting.length > 0) {
      const batch = waiting.splice(0, mostItems);
      try {
        await store(batch.map(({ item }) => item));
        for (const { done } of batch) done.resolve();
      } catch (error) {
        for (const { done } of batch) done.reject(error);
      }
    }
    running = undefined;
    onIdle?.();
  }

  return {
    add(item) {
      const done = Promise.withResolvers<void>();
      waiting.push({ item, done });
      running ??= run();
      return done.promise;
    },
    async flush() {
      isFlushing = true;
      await running;
    },
  };
}
