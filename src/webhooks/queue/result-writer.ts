import { retryWhileUnavailable } from "../../db/retry-while-unavailable.ts";
import { isUnavailable } from "../../db/transaction.ts";
import type { CoreDeps } from "../../engine/deps.ts";
import { batches } from "../../lib/batches.ts";
import type { DeliveryResult } from "./delivery-result.ts";
import { judgeEndpoint, needsJudgement } from "./judge-endpoint.ts";
import { type FailingEndpoint, recordResults } from "./record-results.ts";

/** Results gather this long before they are written: those of many endpoints share one statement. */
const gatherMs = 50;
const batchSize = 500;

/** Writes results in batches, one at a time, and keeps them until the database has taken them. */
export interface ResultWriter {
  add(result: DeliveryResult): void;
  /** Whether the result of this very attempt is still to be written. */
  isUnwritten(delivery: DeliveryResult["delivery"]): boolean;
  /** Writes what is left. */
  stop(): Promise<void>;
}

export function resultWriter(deps: CoreDeps): ResultWriter {
  const unwritten = new Set<string>();
  let stopped = false;
  const written = batches<DeliveryResult>(write, { gatherMs, mostItems: batchSize });

  async function write(batch: DeliveryResult[]): Promise<void> {
    const failing = await record(deps, batch, () => !stopped);
    for (const { delivery } of batch) unwritten.delete(keyOf(delivery));
    for (const endpoint of failing) await judge(deps, endpoint, batch);
  }

  return {
    add(result) {
      unwritten.add(keyOf(result.delivery));
      void written.add(result);
    },
    isUnwritten: (delivery) => unwritten.has(keyOf(delivery)),
    async stop() {
      stopped = true;
      await written.flush();
    },
  };
}

async function record(deps: CoreDeps, batch: DeliveryResult[], isRunning: () => boolean): Promise<FailingEndpoint[]> {
  try {
    return await retryWhileUnavailable(
      () => recordResults(deps.pool, batch, deps.clock.now()),
      (error) => {
        deps.log.warn({ err: error, results: batch.length }, "delivery results not written; trying again");
        return isRunning();
      },
    );
  } catch (error) {
    if (await deps.partitions.createMissing(error).catch(() => false)) return record(deps, batch, isRunning);
    // Results that a process cannot write before it ends are sent again by the next: at worst doubled, never lost.
    if (isUnavailable(error)) return [];
    if (batch.length === 1) {
      deps.log.error({ err: error, delivery_id: batch[0]!.delivery.id }, "a delivery result could not be written");
      return [];
    }
    // One row that the database refuses must not keep the others from being recorded.
    const half = Math.ceil(batch.length / 2);
    const first = await record(deps, batch.slice(0, half), isRunning);
    return [...first, ...(await record(deps, batch.slice(half), isRunning))];
  }
}

async function judge(deps: CoreDeps, endpoint: FailingEndpoint, batch: readonly DeliveryResult[]): Promise<void> {
  const times = batch.flatMap(({ delivery, attempt }) =>
    attempt && delivery.endpointId === endpoint.endpointId ? [Date.parse(attempt.at)] : [],
  );
  const at = new Date(Math.max(...times));
  if (!needsJudgement(endpoint, at)) return;
  try {
    await judgeEndpoint(deps, endpoint, at);
    deps.mail?.emit();
  } catch (error) {
    // It is judged again with its next failure.
    deps.log.warn({ err: error, endpoint_id: endpoint.endpointId }, "an endpoint could not be judged");
  }
}

/** A delivery has one attempt for each time it falls due. */
function keyOf({ id, dueAt }: DeliveryResult["delivery"]): string {
  return `${id} ${dueAt.getTime()}`;
}
