/** The bell between a write and the registers that wait in the same process. Other processes look for themselves. */
export interface FeedSignal {
  announce(accountId: string): void;
  /** Returns how to stop listening. */
  listen(listener: (accountId: string) => void): () => void;
}

export function feedSignal(): FeedSignal {
  const listeners = new Set<(accountId: string) => void>();
  return {
    announce(accountId) {
      for (const listener of listeners) listener(accountId);
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
