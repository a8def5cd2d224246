/** An in-process notification without a payload. */
export interface Signal {
  emit(): void;
  /** Returns a function that unsubscribes. */
  listen(listener: () => void): () => void;
}

export function newSignal(): Signal {
  const listeners = new Set<() => void>();
  return {
    emit() {
      for (const listener of listeners) listener();
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
