/** The work's result, or the signal's reason as soon as that comes. */
export function unlessAborted<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  if (!signal) return work();
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason as Error);
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop);
    work()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener("abort", stop));
  });
}
