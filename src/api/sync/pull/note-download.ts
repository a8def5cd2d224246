import type { Queryable } from "../../../db/pool.ts";
import { sql } from "../../../db/sql.ts";
import type { FeedPage } from "./read-feed.ts";

interface Download {
  db: Queryable;
  accountId: string;
  deviceId: string;
  at: Date;
}

/**
 * Remembers up to which change a register has the catalogue: one row of its own, and only when it got something new of it. What a register
 * is asked to have known is looked up there (`push/heard.ts`). A page that could not be noted is answered all the same.
 */
export async function noteDownload(
  { db, accountId, deviceId, at }: Download,
  { seq, hasMore, tellsPrices }: FeedPage,
  isOfSnapshot: boolean,
): Promise<void> {
  const isWhole = isOfSnapshot && !hasMore;
  if (!tellsPrices && !isWhole) return;
  const [firstSeq, firstAt] = isWhole ? [seq, at] : [null, null];
  await db
    .query(sql`
      update device_progress set heard_seq = ${seq}, heard_at = ${at},
        first_heard_seq = coalesce(first_heard_seq, ${firstSeq}), first_heard_at = coalesce(first_heard_at, ${firstAt})
      where account_id = ${accountId} and device_id = ${deviceId} and (heard_seq is null or heard_seq < ${seq})`)
    .catch(() => undefined);
}
