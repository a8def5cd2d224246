import type { Logger } from "pino";
import { retryWhileUnavailable } from "../../db/retry-while-unavailable.ts";
import type { WritingDeps } from "../../engine/writing/writing.ts";
import { type ClaimedDocument, putBack, type Waiting } from "./claim-documents.ts";
import type { IssuingDeps } from "./issuer.ts";
import type { Step } from "./next-step.ts";
import { recordVerdicts, type Verdict } from "./record-verdicts.ts";

export interface OutcomeWriter {
  /** Resolves when the outcome is stored. While the database is away it is kept, and tried again. */
  write(document: ClaimedDocument, step: Step): Promise<void>;
  /** What cannot be stored from now on is left to whoever finds its lease ended. */
  stop(): void;
}

/**
 * Stores what the authority said. Answers that come while a batch is being stored form the next one, so that a business
 * with a thousand documents takes its clock a few dozen times, not a thousand.
 */
export function outcomeWriter(deps: WritingDeps & IssuingDeps & { log: Logger }): OutcomeWriter {
  const verdictsOf = new Map<string, (verdict: Verdict) => Promise<void>>();
  const putBackLater = batching<Waiting>((waiting) => patiently(() => putBack(deps.pool, waiting, deps.clock.now())));
  const inTurn = gate(mostWrites);
  let stopped = false;

  function patiently(store: () => Promise<void>): Promise<void> {
    return retryWhileUnavailable(store, (error) => {
      deps.log.warn({ err: error }, "the authority's answers are not stored yet; trying again");
      return !stopped;
    });
  }

  return {
    stop() {
      stopped = true;
    },
    async write(document, step) {
      const { accountId, invoiceId } = document;
      if (step.kind === "wait") {
        const { standing, message, trackId } = step;
        const dueAt = new Date(deps.clock.now().getTime() + step.waitMs);
        return putBackLater({ accountId, invoiceId, claim: document.claim, standing, dueAt, message, trackId });
      }
      let record = verdictsOf.get(accountId);
      if (!record) {
        record = batching<Verdict>(
          (verdicts) => patiently(() => inTurn(() => recordVerdicts(deps, accountId, verdicts))),
          () => verdictsOf.delete(accountId),
        );
        verdictsOf.set(accountId, record);
      }
      return record({ invoiceId, claim: document.claim, step });
    },
  };
}

/** Accounts written at once: verdicts for a hundred businesses must leave connections for whoever reads. */
const mostWrites = 4;

function gate(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let inside = 0;
  return async (work) => {
    if (inside >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else inside += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else inside -= 1;
    }
  };
}

/** One batch at a time; what arrives meanwhile waits for the next. */
function batching<T>(
  store: (items: T[]) => Promise<void>,
  whenIdle: () => void = () => {},
): (item: T) => Promise<void> {
  let gathering: { items: T[]; stored: Promise<void> } | undefined;
  let last: Promise<unknown> = Promise.resolve();
  return (item) => {
    if (gathering) {
      gathering.items.push(item);
      return gathering.stored;
    }
    const batch = { items: [item], stored: Promise.resolve() };
    gathering = batch;
    batch.stored = last.then(() => {
      gathering = undefined;
      return store(batch.items);
    });
    last = batch.stored.then(
      () => {},
      () => {},
    );
    const mine = last;
    void mine.then(() => {
      if (last === mine) whenIdle();
    });
    return batch.stored;
  };
}
