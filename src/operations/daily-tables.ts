import type { DailyTable } from "../db/partitions.ts";
import { type RetentionDays, usualRetention } from "../lib/retention.ts";

/** Tables partitioned by day. Idempotency keys last 24 hours, so yesterday's partition may still have valid ones. */
export function dailyTablesFor(keep: RetentionDays): readonly DailyTable[] {
  return [
    { table: "events", keepDays: keep.events },
    { table: "idempotency_keys", keepDays: keep.idempotency_keys },
    { table: "webhook_deliveries", keepDays: keep.webhook_deliveries },
    { table: "mails", keepDays: keep.mails },
    { table: "request_log", keepDays: keep.request_log },
    { table: "push_receipts", keepDays: keep.push_receipts },
  ];
}

/** As they are kept where the operator chose nothing. */
export const dailyTables = dailyTablesFor(usualRetention);
