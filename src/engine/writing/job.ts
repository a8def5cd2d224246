import type { Partitions } from "../../db/partitions.ts";
import type { Pool } from "../../db/pool.ts";
import type { Read } from "../../db/read.ts";
import type { Clock } from "../../lib/clock.ts";
import type { DeliverySignal } from "../deliveries/delivery-signal.ts";
import type { Resource } from "../resources/resource.ts";
import type { FeedSignal } from "./feed-signal.ts";
import type { PendingOperations } from "./pending-operations.ts";
import type { FoundResponse, IdempotencyKey, StoredResponse } from "./stored-responses.ts";
import type { Write } from "./write.ts";
import type { WriteQueue } from "./write-queue.ts";

export interface WritingDeps {
  pool: Pool;
  writes: WriteQueue;
  pendingOperations: PendingOperations;
  clock: Clock;
  partitions: Partitions;
  /** Wakes this process's webhook worker after a commit. Without it, a worker finds the deliveries at its next poll. */
  deliveries?: DeliverySignal | undefined;
  /** Wakes the registers that long-poll this process. Without it, they find the change at their next poll. */
  feed?: FeedSignal | undefined;
}

export interface DeclaredReads {
  records: readonly DeclaredRecords[];
  /** What it asks its write for besides. */
  others?: Read<unknown>;
}

export interface DeclaredRecords {
  resource: Resource;
  ids: readonly string[];
}

/** How a job that did not fail has ended. Only after `written` has it been run. */
export type Ending =
  | { kind: "written" }
  | { kind: "in-progress" }
  /** The operation's response, stored by an earlier request. */
  | { kind: "earlier"; response: FoundResponse };

/** One write that waits for its turn. It may be run more than once; only the last run counts. */
export interface Job {
  deps: WritingDeps;
  requestId: string | undefined;
  /** It is over in a moment: it may share a transaction with other accounts. */
  isShort: boolean;
  /** For an operation that must happen only once: its key and the lock of the operation. */
  once?: IdempotencyKey & { lock: bigint };
  /** What it will read, as far as that is known beforehand: it is read with the opening of the batch, behind the lock. */
  declared?: DeclaredReads | undefined;
  /** Returns the response to store with the operation's key, if it has one. */
  run(write: Write): Promise<StoredResponse | undefined>;
  settle(ending: Ending): void;
  fail(error: unknown): void;
}
