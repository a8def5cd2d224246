import type { Logger } from "pino";
import type { AccessCache } from "./api-keys/access-cache.ts";
import { requestLogDays } from "./api-keys/request-log.ts";
import type { Config } from "./config.ts";
import type { DailyTable, Partitions } from "./db/partitions.ts";
import type { Pool } from "./db/pool.ts";
import type { Reads } from "./db/shared-reads.ts";
import type { DeliverySignal } from "./deliveries/delivery-signal.ts";
import { deliveryRetentionDays } from "./deliveries/retention.ts";
import { eventRetentionDays } from "./events/event-types.ts";
import type { SharedLimits } from "./http/shared-limits.ts";
import type { TrafficLimits } from "./http/traffic-limits.ts";
import type { Bell } from "./lib/bell.ts";
import type { ShiftedClock } from "./lib/clock.ts";
import type { Metrics } from "./lib/metrics.ts";
import { receiptRetentionDays } from "./sync/push/receipts.ts";
import type { FeedSignal } from "./writing/feed-signal.ts";

/** What comes in from outside: time, database, settings. Made in main.ts or by a test, handed down, never imported. */
export interface Deps {
  config: Config;
  pool: Pool;
  clock: ShiftedClock;
  log: Logger;
  partitions: Partitions;
  access: AccessCache;
  /** Wakes the webhook worker of this process; a process that never writes events has none. */
  deliveries?: DeliverySignal;
  /** Rings when a key, an account or a plan changed, here or in another process. */
  changes?: Bell;
  /** Wakes the mail worker of this process. */
  mail?: Bell;
  /** Wakes the registers that wait in this process for changes. */
  feed?: FeedSignal;
  /** What this process counts, for the operator; without it nobody reads the numbers. */
  metrics?: Metrics;
  /** Keeps rate limits equal between processes; a process that is alone has none. */
  sharedLimits?: SharedLimits;
  /** What one business may take, where it is not as usual. */
  traffic?: Partial<TrafficLimits>;
}

/** What a process that answers requests has besides. */
export interface ServedDeps extends Deps {
  reads: Reads;
}

/** The tables that are kept in partitions of a day. The day after 24 hours may still hold a key in force. */
export const keptDaily: readonly DailyTable[] = [
  { table: "events", keepDays: eventRetentionDays },
  { table: "idempotency_keys", keepDays: 1 },
  { table: "webhook_deliveries", keepDays: deliveryRetentionDays },
  { table: "mails", keepDays: 30 },
  { table: "request_log", keepDays: requestLogDays },
  { table: "push_receipts", keepDays: receiptRetentionDays },
];
