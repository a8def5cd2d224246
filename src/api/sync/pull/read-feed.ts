import { resources } from "../../../business/registry.ts";
import type { Reads } from "../../../db/shared-reads.ts";
import { prepared } from "../../../db/sql.ts";
import { bodyBytes, maxPageBytes } from "../../../engine/resources/read-list.ts";
import type { RecordBody } from "../../../engine/resources/resource.ts";
import { feedData } from "../feed-data.ts";

/** The state of an account's feed, and the register's last acknowledged upload. */
export interface FeedState {
  epoch: string;
  /** The account's last change of any kind. */
  seq: number;
  /** The last change that registers receive. */
  feedSeq: number;
  /** Cursors below this have missed a tombstone that was purged. */
  floor: number;
  ackedSeq: number;
}

interface FeedStateRow {
  epoch: string;
  seq: number;
  feed_seq: number;
  feed_floor: number;
  acked_seq: number;
}

export async function readFeedState(db: Reads, accountId: string, deviceId: string): Promise<FeedState> {
  const { rows } = await db.query<FeedStateRow>(
    prepared(
      `select i.epoch, c.seq, c.feed_seq, c.feed_floor, p.acked_seq
       from account_clock c, device_progress p, installation i
       where c.account_id = $1 and p.account_id = $1 and p.device_id = $2`,
      [accountId, deviceId],
    ),
  );
  const { epoch, seq, feed_seq, feed_floor, acked_seq } = rows[0]!;
  return { epoch, seq, feedSeq: feed_seq, floor: feed_floor, ackedSeq: acked_seq };
}

export interface FeedPage {
  /** The JSON text of each change. */
  changes: string[];
  hasMore: boolean;
  /** The cursor's seq after this page. */
  seq: number;
}

/** The most that a change adds to its record. */
const changeBytes = 150;

/** The changes of each kind of record that registers receive. Kinds that they never edit are ordered by seq, not feed_seq. */
const changesSql = resources
  .filter(({ units, feed }) => units ?? feed)
  .map(({ name, table, feed }) => {
    const place = feed ? "seq" : "feed_seq";
    return `(select '${name}' as type, ${place} as place, id, deleted_at is not null as deleted, body,
      case when deleted_at is null then ${bodyBytes} else 0 end + ${changeBytes} as bytes
    from ${table} where account_id = $1 and ${place} > $2 ${feed ? `and ${feed.condition}` : ""}
    order by ${place} fetch first $3 rows with ties)`;
  })
  .join("\n  union all ");

/**
 * The compacted feed: every record once, at its latest change, in order. WITH TIES keeps all records of one transaction on
 * one page; the page ends before the first transaction that would make it too large. One statement is one snapshot, and
 * seqs commit in order, so no change can appear later below the end of a page.
 */
const pageSql = `select f.type, f.place, f.id, f.deleted, f.fits, case when f.fits and not f.deleted then f.body end as body,
  c.seq as head, c.feed_seq as last
from (select *, sum(bytes) over (order by place) <= ${maxPageBytes} or place = min(place) over () as fits from (
  ${changesSql}
  order by place fetch first $3 rows with ties) changed) f, account_clock c where c.account_id = $1 order by place, type, id`;

interface FeedRow {
  type: string;
  place: number;
  id: string;
  deleted: boolean;
  /** Whether it fits on this page. */
  fits: boolean;
  body: string;
  head: number;
  last: number;
}

/** A page of at least `limit` changes, if there are that many and they fit. An empty page ends at `seen`, the account's seq. */
export async function readFeed(
  db: Reads,
  accountId: string,
  after: number,
  limit: number,
  seen: number,
): Promise<FeedPage> {
  const { rows } = await db.query<FeedRow>(prepared(pageSql, [accountId, after, limit]));
  const fitting = rows.filter(({ fits }) => fits);
  const last = fitting.at(-1);
  if (!last) return { changes: [], hasMore: false, seq: Math.max(after, seen) };
  const isFull = rows.length >= limit || fitting.length < rows.length;
  const hasMore = isFull && last.place < last.last;
  return { changes: fitting.map(changeText), hasMore, seq: hasMore ? last.place : last.head };
}

function changeText({ type, place, id, deleted, body }: FeedRow): string {
  const data = deleted ? "null" : type === "product" ? JSON.stringify(feedData(JSON.parse(body) as RecordBody)) : body;
  return `{"seq":${place},"type":"${type}","id":"${id}","deleted":${deleted},"data":${data}}`;
}
