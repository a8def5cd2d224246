import { retryWhileUnavailable } from "../../db/retry-while-unavailable.ts";
import { isNodeAway, isUnavailable } from "../../db/transaction.ts";
import type { CoreDeps } from "../../engine/deps.ts";
import { batches } from "../../lib/batches.ts";
import { must } from "../../lib/must.ts";
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

/** `onWritten` is told of the deliveries whose results the database has. */
export function resultWriter(
  deps: CoreDeps,
  onWritten: (deliveries: readonly DeliveryResult["delivery"][]) => void,
): ResultWriter {
  const unwritten = new Set<string>();
  /** Of accounts whose node is away: they wait for it beside the others. */
  const held = new Set<Promise<void>>();
  let stopped = false;
  const writes = batches<DeliveryResult>((batch) => write(batch), { gatherMs, mostItems: batchSize });

  async function write(batch: DeliveryResult[], mayHold = true): Promise<void> {
    const { failing, away } = await record(deps, batch, { isRunning: () => !stopped, mayHold });
    const written = batch.flatMap(({ delivery }) => (away.has(delivery.accountId) ? [] : delivery));
    for (const delivery of written) unwritten.delete(keyOf(delivery));
    onWritten(written);
    for (const accountId of away) hold(batch.filter(({ delivery }) => delivery.accountId === accountId));
    for (const endpoint of failing) await judge(deps, endpoint, batch);
  }

  function hold(batch: DeliveryResult[]): void {
    const writing = write(batch, false).finally(() => held.delete(writing));
    held.add(writing);
  }

  return {
    add(result) {
      unwritten.add(keyOf(result.delivery));
      void writes.add(result);
    },
    isUnwritten: (delivery) => unwritten.has(keyOf(delivery)),
    async stop() {
      stopped = true;
      await writes.flush();
      await Promise.all(held);
    },
  };
}

interface Recorded {
  failing: FailingEndpoint[];
  /** Accounts whose results could not be written because their node is away. */
  away: ReadonlySet<string>;
}

interface Recording {
  isRunning: () => boolean;
  /** Whether results of a node that is away are left to the caller. Otherwise they are tried until it is back. */
  mayHold: boolean;
}

async function record(deps: CoreDeps, batch: DeliveryResult[], recording: Recording): Promise<Recorded> {
  const { isRunning, mayHold } = recording;
  const none = { failing: [], away: new Set<string>() };
  try {
    const failing = await retryWhileUnavailable(
      () => recordResults(deps.pool, batch, deps.clock.now()),
      (error) => {
        if (mayHold && isNodeAway(error)) return false;
        deps.log.warn({ err: error, results: batch.length }, "delivery results not written; trying again");
        return isRunning();
      },
    );
    return { ...none, failing };
  } catch (error) {
    if (await deps.partitions.createMissing(error).catch(() => false)) return record(deps, batch, recording);
    const accountIds = new Set(batch.map(({ delivery }) => delivery.accountId));
    if (mayHold && isRunning() && isNodeAway(error)) {
      if (accountIds.size === 1) return { ...none, away: accountIds };
      return recordParts(deps, [...Map.groupBy(batch, ({ delivery }) => delivery.accountId).values()], recording);
    }
    // Results that a process cannot write before it ends are sent again by the next: at worst doubled, never lost.
    if (isUnavailable(error)) return none;
    if (batch.length === 1) {
      deps.log.error(
        { err: error, delivery_id: must(batch[0], "A batch has at least one result").delivery.id },
        "a delivery result could not be written",
      );
      return none;
    }
    // One row that the database refuses must not keep the others from being recorded.
    const half = Math.ceil(batch.length / 2);
    return recordParts(deps, [batch.slice(0, half), batch.slice(half)], recording);
  }
}

async function recordParts(deps: CoreDeps, parts: DeliveryResult[][], recording: Recording): Promise<Recorded> {
  const failing: FailingEndpoint[] = [];
  const away = new Set<string>();
  for (const part of parts) {
    const recorded = await record(deps, part, recording);
    failing.push(...recorded.failing);
    for (const accountId of recorded.away) away.add(accountId);
  }
  return { failing, away };
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
