/** Names one endpoint, and with it the queue of its deliveries. */
export interface EndpointKey {
  accountId: string;
  endpointId: string;
}

/** Tells the worker in the same process about new deliveries. The workers of other processes poll, about once a second. */
export interface DeliverySignal {
  announce(endpoints: readonly EndpointKey[]): void;
  /** Returns the function that unsubscribes. */
  listen(listener: (endpoints: readonly EndpointKey[]) => void): () => void;
}

export function deliverySignal(): DeliverySignal {
  const listeners = new Set<(endpoints: readonly EndpointKey[]) => void>();
  return {
    announce(endpoints) {
      if (endpoints.length > 0) for (const listener of listeners) listener(endpoints);
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
