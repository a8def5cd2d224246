import type { FeedSignal } from "../../../engine/writing/feed-signal.ts";
import { minute } from "../../../lib/clock.ts";

/**
 * Caches the last empty response to each long-polling register. It returns with the same cursor every 25 seconds, and its
 * account is being watched anyway, so it can wait again without a query of its own.
 */
export interface EmptyResponses {
  find(deviceId: string, cursor: string): EmptyResponse | undefined;
  keep(deviceId: string, accountId: string, response: Omit<EmptyResponse, "generation" | "until">): void;
  /** The register pushed something, so its cached response is outdated. */
  discard(deviceId: string): void;
}

export interface EmptyResponse {
  /** The cursor in the response. */
  cursor: string;
  seq: number;
  text: string;
  generation: number;
  until: number;
}

/** Limits how long changes by other processes go unnoticed: the epoch, the floor and acked_seq. */
const maxAgeMs = 2 * minute;
const maxResponses = 50_000;

export function emptyResponses(feed: FeedSignal | undefined): EmptyResponses {
  const responses = new Map<string, EmptyResponse & { accountId: string }>();
  // A write between two long polls wakes nobody. The generation shows that it happened.
  const generations = new Map<string, number>();
  feed?.listen((accountId) => {
    if (generations.size >= maxResponses) {
      generations.clear();
      responses.clear();
    }
    generations.set(accountId, (generations.get(accountId) ?? 0) + 1);
  });
  return {
    find(deviceId, cursor) {
      const response = responses.get(deviceId);
      const isCurrent =
        response?.cursor === cursor &&
        response.until > performance.now() &&
        response.generation === (generations.get(response.accountId) ?? 0);
      return isCurrent ? response : undefined;
    },
    keep(deviceId, accountId, response) {
      if (responses.size >= maxResponses) responses.clear();
      const generation = generations.get(accountId) ?? 0;
      responses.set(deviceId, { ...response, accountId, generation, until: performance.now() + maxAgeMs });
    },
    discard: (deviceId) => void responses.delete(deviceId),
  };
}
