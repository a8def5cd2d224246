/** Tells the registers that long-poll this process about a write. Other processes poll the database. */
export interface FeedSignal {
  announce(accountId: string): void;
  /** Returns a function that unsubscribes. */
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
