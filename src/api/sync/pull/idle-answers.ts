import type { FeedSignal } from "../../../engine/writing/feed-signal.ts";
import { minute } from "../../../lib/clock.ts";

/**
 * The last empty answer of each register that waits here. It comes back with the same cursor every 25 seconds, and the
 * waiting room watches its account anyway: it may go on waiting without a query of its own.
 */
export interface IdleAnswers {
  find(deviceId: string, cursor: string): IdleAnswer | undefined;
  keep(deviceId: string, accountId: string, answer: Omit<IdleAnswer, "generation" | "until">): void;
  /** The register did something: what was said of it is old. */
  forget(deviceId: string): void;
}

export interface IdleAnswer {
  /** The cursor it gave. */
  cursor: string;
  seq: number;
  text: string;
  generation: number;
  until: number;
}

/** Bounds what another process may have changed meanwhile: the epoch, the floor, the number acked. */
const maxAgeMs = 2 * minute;
const maxAnswers = 50_000;

export function idleAnswers(feed: FeedSignal | undefined): IdleAnswers {
  const answers = new Map<string, IdleAnswer & { accountId: string }>();
  // A write between two waits rings for nobody: it must not be waited past.
  const generations = new Map<string, number>();
  feed?.listen((accountId) => {
    if (generations.size >= maxAnswers) {
      generations.clear();
      answers.clear();
    }
    generations.set(accountId, (generations.get(accountId) ?? 0) + 1);
  });
  return {
    find(deviceId, cursor) {
      const answer = answers.get(deviceId);
      const isGood =
        answer?.cursor === cursor &&
        answer.until > performance.now() &&
        answer.generation === (generations.get(answer.accountId) ?? 0);
      return isGood ? answer : undefined;
    },
    keep(deviceId, accountId, answer) {
      if (answers.size >= maxAnswers) answers.clear();
      const generation = generations.get(accountId) ?? 0;
      answers.set(deviceId, { ...answer, accountId, generation, until: performance.now() + maxAgeMs });
    },
    forget: (deviceId) => void answers.delete(deviceId),
  };
}
