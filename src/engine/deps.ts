import type { Logger } from "pino";
import type { Config } from "../config.ts";
import type { Partitions } from "../db/partitions.ts";
import type { Pool } from "../db/pool.ts";
import type { ShiftedClock } from "../lib/clock.ts";
import type { TurnsByKey } from "../lib/concurrency-limit.ts";
import type { Metrics } from "../lib/metrics.ts";
import type { Signal } from "../lib/signal.ts";
import type { DeliverySignal } from "./deliveries/delivery-signal.ts";
import type { FeedSignal } from "./writing/feed-signal.ts";
import type { PendingOperations } from "./writing/pending-operations.ts";
import type { WriteQueue } from "./writing/write-queue.ts";

/** Time, database and settings. Built once at startup or by a test and passed in as arguments, never imported. */
export interface CoreDeps {
  config: Config;
  pool: Pool;
  clock: ShiftedClock;
  log: Logger;
  partitions: Partitions;
  /** The writes of this process that wait for their turn. */
  writes: WriteQueue;
  pendingOperations: PendingOperations;
  /** Changes of an account that are no writes: they take turns instead of a connection each while they wait for its lock. */
  accountTurns: TurnsByKey;
  /** Wakes this process's webhook worker. Absent in a process that never writes events. */
  deliveries?: DeliverySignal;
  /** Fires when a key, an account or a plan changed, in this process or another. */
  changes?: Signal;
  /** Wakes this process's mail worker. */
  mail?: Signal;
  /** Wakes the registers that long-poll this process for changes. */
  feed?: FeedSignal;
  /** Counters for the operator. Absent where nobody reads them. */
  metrics?: Metrics;
}
