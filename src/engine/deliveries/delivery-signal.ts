/** Where a delivery waits: the queue of one endpoint. */
export interface Lane {
  accountId: string;
  endpointId: string;
}

/** The bell between a write and the worker in the same process. Other processes look for themselves, about once a second. */
export interface DeliverySignal {
  announce(lanes: readonly Lane[]): void;
  /** Returns how to stop listening. */
  listen(listener: (lanes: readonly Lane[]) => void): () => void;
}

export function deliverySignal(): DeliverySignal {
  const listeners = new Set<(lanes: readonly Lane[]) => void>();
  return {
    announce(lanes) {
      if (lanes.length > 0) for (const listener of listeners) listener(lanes);
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
