import type { Logger } from "pino";
import type { Config } from "../config.ts";
import type { Partitions } from "../db/partitions.ts";
import type { Pool } from "../db/pool.ts";
import type { ShiftedClock } from "../lib/clock.ts";
import type { Metrics } from "../lib/metrics.ts";
import type { Signal } from "../lib/signal.ts";
import type { DeliverySignal } from "./deliveries/delivery-signal.ts";
import type { FeedSignal } from "./writing/feed-signal.ts";

/** What comes in from outside: time, database, settings. Made at the start or by a test, handed down, never imported. */
export interface CoreDeps {
  config: Config;
  pool: Pool;
  clock: ShiftedClock;
  log: Logger;
  partitions: Partitions;
  /** Wakes the webhook worker of this process; a process that never writes events has none. */
  deliveries?: DeliverySignal;
  /** Rings when a key, an account or a plan changed, here or in another process. */
  changes?: Signal;
  /** Wakes the mail worker of this process. */
  mail?: Signal;
  /** Wakes the registers that wait in this process for changes. */
  feed?: FeedSignal;
  /** What this process counts, for the operator; without it nobody reads the numbers. */
  metrics?: Metrics;
}
