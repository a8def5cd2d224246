import { requestLogDays } from "../access/api-keys/request-log.ts";
import { receiptRetentionDays } from "../api/sync/push/receipts.ts";
import type { DailyTable } from "../db/partitions.ts";
import { deliveryRetentionDays } from "../engine/deliveries/retention.ts";
import { eventRetentionDays } from "../engine/events/event-types.ts";

/** Tables partitioned by day. Idempotency keys last 24 hours, so yesterday's partition may still have valid ones. */
export const dailyTables: readonly DailyTable[] = [
  { table: "events", keepDays: eventRetentionDays },
  { table: "idempotency_keys", keepDays: 1 },
  { table: "webhook_deliveries", keepDays: deliveryRetentionDays },
  { table: "mails", keepDays: 30 },
  { table: "request_log", keepDays: requestLogDays },
  { table: "push_receipts", keepDays: receiptRetentionDays },
];
