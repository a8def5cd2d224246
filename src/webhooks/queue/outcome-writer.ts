import { setTimeout as delay } from "node:timers/promises";
import { retryWhileUnavailable } from "../../db/retry-while-unavailable.ts";
import { isUnavailable } from "../../db/transaction.ts";
import type { CoreDeps } from "../../engine/deps.ts";
import { judgeEndpoint, needsJudgement } from "./judge-endpoint.ts";
import { type FailingEndpoint, type Recorded, recordOutcomes } from "./record-outcomes.ts";

/** Outcomes gather this long before they are written: at full load hundreds share one statement. */
const gatherMs = 10;
const batchSize = 500;

/** Writes outcomes in batches, one at a time, and keeps them until the database has taken them. */
export interface OutcomeWriter {
  add(outcome: Recorded): void;
  /** Whether the outcome of this very attempt is still to be written. */
  isUnwritten(delivery: Recorded["delivery"]): boolean;
  /** Writes what is left. */
  stop(): Promise<void>;
}

export function outcomeWriter(deps: CoreDeps): OutcomeWriter {
  let gathered: Recorded[] = [];
  const unwritten = new Set<string>();
  let writing: Promise<void> | undefined;
  let stopped = false;

  function start(): void {
    writing ??= write().finally(() => {
      writing = undefined;
      if (gathered.length > 0) start();
    });
  }

  async function write(): Promise<void> {
    if (!stopped) await delay(gatherMs);
    while (gathered.length > 0) {
      const batch = gathered.slice(0, batchSize);
      gathered = gathered.slice(batchSize);
      const failing = await record(batch);
      for (const { delivery } of batch) unwritten.delete(keyOf(delivery));
      for (const endpoint of failing) await judge(endpoint, batch);
    }
  }

  async function record(batch: Recorded[]): Promise<FailingEndpoint[]> {
    try {
      return await retryWhileUnavailable(
        () => recordOutcomes(deps.pool, batch, deps.clock.now()),
        (error) => {
          deps.log.warn({ err: error, outcomes: batch.length }, "outcomes not written; trying again");
          return !stopped;
        },
      );
    } catch (error) {
      if (await deps.partitions.createMissing(error).catch(() => false)) return record(batch);
      // What a dying process cannot write is sent again by the next: never lost, at worst doubled.
      return isUnavailable(error) ? [] : recordApart(batch, error);
    }
  }

  /** One row that the database refuses must not keep the others from being recorded. */
  async function recordApart(batch: Recorded[], error: unknown): Promise<FailingEndpoint[]> {
    if (batch.length === 1) {
      deps.log.error({ err: error, delivery_id: batch[0]!.delivery.id }, "an outcome could not be written");
      return [];
    }
    const half = Math.ceil(batch.length / 2);
    return [...(await record(batch.slice(0, half))), ...(await record(batch.slice(half)))];
  }

  async function judge(endpoint: FailingEndpoint, batch: readonly Recorded[]): Promise<void> {
    const times = batch.flatMap(({ delivery, attempt }) =>
      attempt && delivery.endpointId === endpoint.endpointId ? [Date.parse(attempt.at)] : [],
    );
    const at = new Date(Math.max(...times));
    if (!needsJudgement(endpoint, at)) return;
    try {
      await judgeEndpoint(deps, endpoint, at);
      deps.mail?.emit();
    } catch (error) {
      // Its next failure asks the same question.
      deps.log.warn({ err: error, endpoint_id: endpoint.endpointId }, "an endpoint could not be judged");
    }
  }

  return {
    add(outcome) {
      gathered.push(outcome);
      unwritten.add(keyOf(outcome.delivery));
      start();
    },
    isUnwritten: (delivery) => unwritten.has(keyOf(delivery)),
    async stop() {
      stopped = true;
      while (writing) await writing;
    },
  };
}

/** A delivery has one attempt for each time it falls due. */
function keyOf({ id, dueAt }: Recorded["delivery"]): string {
  return `${id} ${dueAt.getTime()}`;
}
