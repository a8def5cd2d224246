/** A signal within the process: there is something new to look at. */
export interface Bell {
  ring(): void;
  /** Returns how to stop listening. */
  listen(listener: () => void): () => void;
}

export function bell(): Bell {
  const listeners = new Set<() => void>();
  return {
    ring() {
      for (const listener of listeners) listener();
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
