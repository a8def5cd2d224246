import type { Logger } from "pino";
import { retryWhileUnavailable } from "../../db/retry-while-unavailable.ts";
import { isNodeAway } from "../../db/transaction.ts";
import type { WritingDeps } from "../../engine/writing/writing.ts";
import { type Batches, batches } from "../../lib/batches.ts";
import { concurrencyLimit } from "../../lib/concurrency-limit.ts";
import { type ClaimedDocument, putBack, type Waiting } from "./claim-documents.ts";
import type { IssuingDeps } from "./issuer.ts";
import type { Step } from "./next-step.ts";
import { recordVerdicts, type Verdict } from "./record-verdicts.ts";

/** Accounts written at once: verdicts for a hundred businesses must leave connections for readers. */
const mostWrites = 4;

/** A node that is started again at once is back within this. */
const nodePatienceMs = 10_000;

export interface StepWriter {
  /** Resolves when the step is stored. While the database is away, it is kept and tried again. */
  write(document: ClaimedDocument, step: Step): Promise<void>;
  /** From now on nothing is tried again: the next worker finds the document when its lease has ended. */
  stop(): void;
}

/**
 * Stores what follows from the authority's responses. Those that arrive while a batch is being stored form the next one,
 * so that a business with a thousand documents locks its clock a few dozen times, not a thousand.
 */
export function stepWriter(deps: WritingDeps & IssuingDeps & { log: Logger }): StepWriter {
  const verdictsOf = new Map<string, Batches<Verdict>>();
  const limited = concurrencyLimit(mostWrites);
  let stopped = false;

  function retrying(store: () => Promise<void>): Promise<void> {
    const startedAt = performance.now();
    return retryWhileUnavailable(store, (error) => {
      deps.log.warn({ err: error }, "the authority's responses are not stored yet; trying again");
      // The lease of a document whose node stays away ends meanwhile, and others need its place.
      return !stopped && !(isNodeAway(error) && performance.now() - startedAt > nodePatienceMs);
    });
  }

  const waits = batches<Waiting>((waiting) => retrying(() => putBack(deps.pool, waiting, deps.clock.now())));

  function verdictsFor(accountId: string): Batches<Verdict> {
    const known = verdictsOf.get(accountId);
    if (known) return known;
    const added = batches<Verdict>(
      (verdicts) => retrying(() => limited(() => recordVerdicts(deps, accountId, verdicts))),
      { onIdle: () => verdictsOf.delete(accountId) },
    );
    verdictsOf.set(accountId, added);
    return added;
  }

  return {
    stop() {
      stopped = true;
    },
    write({ accountId, invoiceId, claim }, step) {
      if (step.kind === "verdict") return verdictsFor(accountId).add({ invoiceId, claim, step });
      const { progress, message, trackId } = step;
      const dueAt = new Date(deps.clock.now().getTime() + step.waitMs);
      return waits.add({ accountId, invoiceId, claim, progress, dueAt, message, trackId });
    },
  };
}
