import { requestLogDays } from "../access/api-keys/request-log.ts";
import { receiptRetentionDays } from "../api/sync/push/receipts.ts";
import type { DailyTable } from "../db/partitions.ts";
import { deliveryRetentionDays } from "../engine/deliveries/retention.ts";
import { eventRetentionDays } from "../engine/events/event-types.ts";

/** The tables that are kept in partitions of a day. The day after 24 hours may still hold a key in force. */
export const keptDaily: readonly DailyTable[] = [
  { table: "events", keepDays: eventRetentionDays },
  { table: "idempotency_keys", keepDays: 1 },
  { table: "webhook_deliveries", keepDays: deliveryRetentionDays },
  { table: "mails", keepDays: 30 },
  { table: "request_log", keepDays: requestLogDays },
  { table: "push_receipts", keepDays: receiptRetentionDays },
];
