/** Names one endpoint, and with it the queue of its deliveries. */
export interface EndpointKey {
  accountId: string;
  endpointId: string;
}

/** A delivery that the write which queued it has leased to the worker of its own process. */
export interface HandedDelivery extends EndpointKey {
  id: string;
  dueAt: Date;
  createdAt: Date;
  eventId: string;
  eventType: string;
  /** Of the record that the event shows. */
  objectId: string;
  requestId: string | null;
  eventText: string;
}

/** How many deliveries the worker would take for an endpoint at once. */
export interface Room {
  endpointId: string;
  size: number;
  /** Of the URL and secrets that the worker knows. If the endpoint has newer ones, it gets nothing handed over. */
  version: number;
}

/** The worker of this process, as a write sees it. */
export interface DeliveryTaker {
  wake(endpoints: readonly EndpointKey[]): void;
  /** The account's endpoints that deliver fast and have nothing older waiting. */
  roomOf(accountId: string): Room[];
  take(deliveries: readonly HandedDelivery[]): void;
}

/**
 * Tells the worker in the same process about new deliveries, or hands them over without a way through the database. The
 * workers of other processes poll, about once a second.
 */
export interface DeliverySignal {
  announce(endpoints: readonly EndpointKey[]): void;
  roomOf(accountId: string): Room[];
  handOver(deliveries: readonly HandedDelivery[]): void;
  /** Returns the function that unsubscribes. */
  listen(taker: DeliveryTaker): () => void;
}

export function deliverySignal(): DeliverySignal {
  const takers = new Set<DeliveryTaker>();
  const first = () => takers.values().next().value;
  return {
    announce(endpoints) {
      if (endpoints.length > 0) for (const taker of takers) taker.wake(endpoints);
    },
    roomOf: (accountId) => first()?.roomOf(accountId) ?? [],
    handOver(deliveries) {
      if (deliveries.length > 0) first()?.take(deliveries);
    },
    listen(taker) {
      takers.add(taker);
      return () => takers.delete(taker);
    },
  };
}
