import type { Invoice } from "../../../business/invoices/schema.ts";
import { resources } from "../../../business/registry.ts";
import { oneRow } from "../../../db/read.ts";
import type { Reads } from "../../../db/shared-reads.ts";
import { prepared } from "../../../db/sql.ts";
import { bodyBytes } from "../../../engine/resources/list-sql.ts";
import type { Placed } from "../../../engine/resources/placed.ts";
import { maxPageBytes } from "../../../engine/resources/read-list.ts";
import type { RecordBody, Resource } from "../../../engine/resources/resource.ts";
import { documentData, feedData } from "../feed-data.ts";
import { businessText, cashierText, isAt, type RegisterPlace, readPlace } from "./register-place.ts";

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
  seq: number;
  feed_seq: number;
  feed_floor: number;
  acked_seq: number;
}

/** Two statements in one packet: the epoch is the installation's, and the rest lies in the account's shard. */
export async function readFeedState(db: Reads, accountId: string, deviceId: string): Promise<FeedState> {
  const [installation, account] = await Promise.all([
    db.query<{ epoch: string }>(prepared("select epoch from installation", [])),
    db.query<FeedStateRow>(
      prepared(
        `select c.seq, c.feed_seq, c.feed_floor, p.acked_seq from account_clock c, device_progress p
         where c.account_id = $1 and p.account_id = $1 and p.device_id = $2`,
        [accountId, deviceId],
      ),
    ),
  ]);
  const { seq, feed_seq, feed_floor, acked_seq } = oneRow(account.rows);
  return { epoch: oneRow(installation.rows).epoch, seq, feedSeq: feed_seq, floor: feed_floor, ackedSeq: acked_seq };
}

export interface FeedPage {
  /** The JSON text of each change. */
  changes: string[];
  hasMore: boolean;
  /** The cursor's seq after this page. */
  seq: number;
  /** Whether it has something of what is sold, by whom or how. */
  tellsPrices: boolean;
}

/** The most that a change adds to its record. */
const changeBytes = 150;

/** The changes of each kind of record that registers receive. Kinds that they never edit are ordered by seq, not feed_seq. */
function changesOf({ name, table, feed }: Resource): string {
  const place = feed ? "seq" : "feed_seq";
  return `(select '${name}' as type, ${place} as place, id, deleted_at is not null as deleted, body,
      case when deleted_at is null then ${bodyBytes} else 0 end + ${changeBytes} as bytes
    from ${table} where account_id = $1 and ${place} > $2 ${feed ? `and ${feed.condition}` : ""}
    order by ${place} fetch first $3 rows with ties)`;
}

const received = (resources as readonly Resource[]).filter(({ units, feed }) => units ?? feed);

/**
 * What travels down besides records: the business itself, and its cashiers with the hashes of their PINs. Both are small, and
 * only registers that report the capability receive them.
 */
export const businessDown = "business.down.1";
const businessChanges = [
  `(select 'business' as type, seq as place, account_id as id, false as deleted, info as body, 2000 as bytes
    from counter_settings where account_id = $1 and seq > $2)`,
  `(select 'cashier' as type, seq as place, id, deleted_at is not null as deleted,
      json_build_object('id', id, 'name', name, 'pin_hash', pin_hash, 'permissions', permissions, 'rights', rights,
        'location_ids', location_ids) as body,
      800 as bytes
    from cashiers where account_id = $1 and seq > $2 order by seq fetch first $3 rows with ties)`,
];

/** Whom a register has to forget: by ids, so that the feed itself knows nobody. */
export const erasureDown = "erasure.down.1";
const erasureChanges = `(select 'erasure' as type, seq as place, id, false as deleted,
      json_build_object('customer_ids', customer_ids, 'sale_ids', sale_ids) as body,
      40 * (cardinality(customer_ids) + cardinality(sale_ids)) + ${changeBytes} as bytes
    from erasures where account_id = $1 and seq > $2 order by seq fetch first $3 rows with ties)`;

/**
 * The compacted feed: every record once, at its latest change, in order. WITH TIES keeps all records of one transaction on
 * one page; the page ends before the first transaction that would make it too large. One statement is one snapshot, and
 * seqs commit in order, so no change can appear later below the end of a page.
 */
function pageSql(capabilities: readonly string[]): string {
  const changes = received
    .filter(({ feed }) => feed?.capability === undefined || capabilities.includes(feed.capability))
    .map(changesOf);
  if (capabilities.includes(businessDown)) changes.push(...businessChanges);
  if (capabilities.includes(erasureDown)) changes.push(erasureChanges);
  return `select f.type, f.place, f.id, f.deleted, f.fits, case when f.fits and not f.deleted then f.body end as body,
  c.seq as head, c.feed_seq as last
from (select *, sum(bytes) over (order by place) <= ${maxPageBytes} or place = min(place) over () as fits from (
  ${changes.join("\n  union all ")}
  order by place fetch first $3 rows with ties) changed) f, account_clock c where c.account_id = $1 order by place, type, id`;
}

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

/** Who reads the feed: what a register receives depends on what it reports. */
export interface FeedReader {
  accountId: string;
  deviceId: string;
  capabilities: readonly string[] | null;
  /** The QR text of a document, by its code. */
  qrOf: (cufe: string) => string;
}

/** The capabilities that widen the feed, in a fixed order: one prepared statement for each combination. */
const widening = [businessDown, erasureDown, ...new Set(received.flatMap(({ feed }) => feed?.capability ?? []))];
const statements = new Map<string, string>();

function statementFor(reader: FeedReader): { text: string; namesDevice: boolean } {
  const own = widening.filter((one) => reader.capabilities?.includes(one));
  const key = own.join();
  const text = statements.get(key) ?? pageSql(own);
  statements.set(key, text);
  return { text, namesDevice: text.includes("$4") };
}

/** What is told with the sede of the register. */
const isPlaced: ReadonlySet<string> = new Set(["business", "cashier", "order"]);

const isOfPrices: ReadonlySet<string> = new Set(["product", "cashier", "business"]);

/** A page of at least `limit` changes, if there are that many and they fit. An empty page ends at `seen`, the account's seq. */
export async function readFeed(
  db: Reads,
  reader: FeedReader,
  after: number,
  limit: number,
  seen: number,
): Promise<FeedPage> {
  const { text, namesDevice } = statementFor(reader);
  const values = [reader.accountId, after, limit, ...(namesDevice ? [reader.deviceId] : [])];
  const { rows } = await db.query<FeedRow>(prepared(text, values));
  const fitting = rows.filter(({ fits }) => fits);
  const last = fitting.at(-1);
  if (!last) return { changes: [], hasMore: false, seq: Math.max(after, seen), tellsPrices: false };
  // Behind the page: a register that is moved meanwhile has the page that tells it still ahead.
  const place = fitting.some(({ type }) => isPlaced.has(type)) ? await readPlace(db, reader) : undefined;
  const isFull = rows.length >= limit || fitting.length < rows.length;
  const hasMore = isFull && last.place < last.last;
  return {
    changes: fitting.map((row) => changeText(row, reader, place)),
    hasMore,
    seq: hasMore ? last.place : last.head,
    tellsPrices: fitting.some(({ type }) => isOfPrices.has(type)),
  };
}

function changeText({ type, place, id, deleted, body }: FeedRow, reader: FeedReader, at: RegisterPlace | undefined) {
  const data = deleted ? null : dataText(type, body, reader, at);
  return `{"seq":${place},"type":"${type}","id":"${id}","deleted":${data === null},"data":${data ?? "null"}}`;
}

/** Products and documents travel in another form than the API's; everything else as it is stored. Null for what is not for this register. */
function dataText(type: string, body: string, reader: FeedReader, at: RegisterPlace | undefined): string | null {
  if (type === "business" && at) return businessText(body, at);
  if (type === "cashier" && at) return cashierText(body, at);
  if (type === "order" && at) return isAt(JSON.parse(body) as Placed, at) ? body : null;
  if (type === "product") return JSON.stringify(feedData(JSON.parse(body) as RecordBody, reader));
  return type === "invoice" ? JSON.stringify(documentData(JSON.parse(body) as Invoice, reader.qrOf)) : body;
}
