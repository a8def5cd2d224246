import type { Logger } from "pino";
import type { AccessCache } from "./api-keys/access-cache.ts";
import type { Config } from "./config.ts";
import type { DailyTable, Partitions } from "./db/partitions.ts";
import type { Pool } from "./db/pool.ts";
import { eventRetentionDays } from "./events/event-types.ts";
import type { ShiftedClock } from "./lib/clock.ts";
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
  /** Wakes the registers that wait in this process for changes. */
  feed?: FeedSignal;
}

/** The tables that are kept in partitions of a day. The day after 24 hours may still hold a key in force. */
export const keptDaily: readonly DailyTable[] = [
  { table: "events", keepDays: eventRetentionDays },
  { table: "idempotency_keys", keepDays: 1 },
  { table: "push_receipts", keepDays: receiptRetentionDays },
];
