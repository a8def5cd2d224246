/** Runs at most `most` tasks at once; further ones wait in the order they came. */
export function concurrencyLimit(most: number): <T>(task: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (task) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await task();
    } finally {
      // The slot passes straight to the next in line: nobody can slip in between.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

export type TurnsByKey = <T>(key: string, task: () => Promise<T>) => Promise<T>;

/**
 * Runs at most `most` tasks at once, and one of each key. Keys take turns: one that has many tasks waiting goes to the end of
 * the line after each.
 */
export function turnsByKey(most = Number.POSITIVE_INFINITY): TurnsByKey {
  const running = new Set<string>();
  const waiting = new Map<string, (() => void)[]>();

  function startNext(): void {
    for (const [key, starts] of waiting) {
      if (running.size >= most) return;
      if (running.has(key)) continue;
      running.add(key);
      starts.shift()!();
      if (starts.length === 0) waiting.delete(key);
    }
  }

  function goToEnd(key: string): void {
    const starts = waiting.get(key);
    if (!starts) return;
    waiting.delete(key);
    waiting.set(key, starts);
  }

  return async (key, task) => {
    await new Promise<void>((start) => {
      const starts = waiting.get(key);
      if (starts) starts.push(start);
      else waiting.set(key, [start]);
      startNext();
    });
    try {
      return await task();
    } finally {
      running.delete(key);
      goToEnd(key);
      startNext();
    }
  };
}

/** Counts the running tasks by key, for callers that refuse instead of waiting. */
export interface RunningTasks {
  count(key: string): number;
  run<T>(keys: readonly string[], task: () => Promise<T>): Promise<T>;
}

export function runningTasks(): RunningTasks {
  const counts = new Map<string, number>();
  const count = (key: string) => counts.get(key) ?? 0;
  return {
    count,
    async run(keys, task) {
      for (const key of keys) counts.set(key, count(key) + 1);
      try {
        return await task();
      } finally {
        for (const key of keys) {
          if (count(key) === 1) counts.delete(key);
          else counts.set(key, count(key) - 1);
        }
      }
    },
  };
}
