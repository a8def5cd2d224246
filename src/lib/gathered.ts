/** A call starts no sooner than this after the one before it: meanwhile further keys gather for it. */
export const minGapMs = 5;
/** While a call runs, the next one waits this much longer. One that takes longer may be stuck, and others go on without it. */
const stuckMs = 50;
const maxCalls = 4;
const maxKeys = 1_000;

interface Waiting<V> {
  resolve(value: V | undefined): void;
  reject(error: unknown): void;
}

/**
 * Looks up one key at a time for its callers, and all keys that wait in one call. However many ask, at most four calls run at
 * once, and 200 start in a second. A key goes with a call that starts after it was asked for, so that its answer is not older.
 */
export function gathered<V>(readMany: (keys: readonly string[]) => Promise<ReadonlyMap<string, V>>) {
  const waiting = new Map<string, Waiting<V>[]>();
  let running = 0;
  let startedAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  function schedule(): void {
    if (waiting.size === 0 || running === maxCalls || timer) return;
    const leftMs = startedAt + (running > 0 ? stuckMs : minGapMs) - performance.now();
    if (leftMs <= 0) void call();
    else timer = setTimeout(wake, leftMs);
  }

  function wake(): void {
    clearTimeout(timer);
    timer = undefined;
    schedule();
  }

  async function call(): Promise<void> {
    const batch = [...waiting].slice(0, maxKeys);
    for (const [key] of batch) waiting.delete(key);
    running += 1;
    startedAt = performance.now();
    try {
      const found = await readMany(batch.map(([key]) => key));
      for (const [key, callers] of batch) for (const { resolve } of callers) resolve(found.get(key));
    } catch (error) {
      for (const [, callers] of batch) for (const { reject } of callers) reject(error);
    }
    running -= 1;
    wake();
  }

  return (key: string): Promise<V | undefined> =>
    new Promise((resolve, reject) => {
      const callers = waiting.get(key);
      if (callers) callers.push({ resolve, reject });
      else waiting.set(key, [{ resolve, reject }]);
      schedule();
    });
}
