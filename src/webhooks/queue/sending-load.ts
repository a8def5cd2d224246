import { endpointCap } from "./concurrency-caps.ts";

interface Queue {
  accountId: string;
  inFlight: number;
  usedAtMs: number;
}

/** Counts the requests in flight by endpoint, account and process, and says how many an endpoint may have. */
export function sendingLoad<Q extends Queue>() {
  const accounts = new Map<string, { queues: Set<Q>; inFlight: number }>();
  let processInFlight = 0;
  return {
    add(queue: Q): void {
      const account = accounts.get(queue.accountId) ?? { queues: new Set<Q>(), inFlight: 0 };
      account.queues.add(queue);
      accounts.set(queue.accountId, account);
    },
    remove(queue: Q): void {
      const account = accounts.get(queue.accountId);
      account?.queues.delete(queue);
      if (account?.queues.size === 0) accounts.delete(queue.accountId);
    },
    count(queue: Q, change: 1 | -1): void {
      queue.inFlight += change;
      processInFlight += change;
      accounts.get(queue.accountId)!.inFlight += change;
      queue.usedAtMs = performance.now();
    },
    cap(queue: Q): number {
      return endpointCap({
        restOfAccount: (accounts.get(queue.accountId)?.inFlight ?? 0) - queue.inFlight,
        restOfProcess: processInFlight - queue.inFlight,
      });
    },
    inFlight: () => processInFlight,
    queuesOf: (accountId: string) => [...(accounts.get(accountId)?.queues ?? [])],
  };
}
