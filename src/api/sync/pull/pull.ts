import type { DeviceAccess } from "../../../access/devices/device-access.ts";
import type { ServedDeps } from "../../../deps.ts";
import { qrUrl } from "../../../fiscal/content/document-hash.ts";
import { second } from "../../../lib/clock.ts";
import { ApiError } from "../../../lib/errors.ts";
import { type CursorOwner, decodeFeedCursor, encodeFeedCursor, type FeedCursor } from "./cursor.ts";
import type { EmptyResponses } from "./empty-responses.ts";
import type { ClientConnection, LongPolls } from "./long-polls.ts";
import { noteDownload } from "./note-download.ts";
import { type FeedPage, type FeedReader, type FeedState, readFeed, readFeedState } from "./read-feed.ts";

export interface PullDeps extends ServedDeps {
  polls: LongPolls;
  emptyResponses: EmptyResponses;
}

export interface PullRequest {
  cursor: string;
  limit: number;
  waitSeconds: number;
  connection: ClientConnection;
  /** Waits until the account may load another page. */
  admit: () => Promise<void>;
  /** Throws if the register has been revoked meanwhile. */
  confirm: () => Promise<void>;
}

/** The response with the changes after a register's cursor. Without any, it waits if the request asks for it. */
export async function pull(deps: PullDeps, device: DeviceAccess, request: PullRequest): Promise<string> {
  const { polls, emptyResponses } = deps;
  const owner: CursorOwner = { key: deps.config.secretKeys, accountId: device.accountId };
  const reader = readerOf(deps, device);
  const until = performance.now() + request.waitSeconds * second;
  const last = request.waitSeconds > 0 ? emptyResponses.find(device.deviceId, request.cursor) : undefined;
  const wait = async (seq: number, waitMs: number) => {
    await request.confirm();
    return polls.wait(device, seq, waitMs, request.connection);
  };
  if (last && !(await wait(last.seq, request.waitSeconds * second))) return last.text;
  for (;;) {
    const state = await readFeedState(deps.reads, device.accountId, device.deviceId);
    const { seq: after, snapshotSeq } = positionOf(request.cursor, owner, state);
    // Most waiting registers have nothing to read, which the state alone shows.
    if (state.feedSeq > after) await request.admit();
    const page: FeedPage =
      state.feedSeq > after
        ? await readFeed(isShort(state, after) ? deps.reads : deps.pool, reader, after, request.limit, state.seq)
        : { changes: [], hasMore: false, seq: state.seq, tellsPrices: false };
    if (page.changes.length > 0) {
      if (deps.clock.isTrusted())
        await noteDownload({ db: deps.pool, ...device, at: deps.clock.now() }, page, snapshotSeq !== undefined);
      return responseWith(owner, state, page, snapshotSeq).text;
    }
    const leftMs = until - performance.now();
    // After a timeout the feed is not read again: the next request will do that.
    const isWoken = leftMs > 0 && (await wait(Math.max(after, state.feedSeq), leftMs));
    if (isWoken) continue;
    const { cursor, text } = responseWith(owner, state, page, snapshotSeq);
    if (request.waitSeconds > 0)
      emptyResponses.keep(device.deviceId, device.accountId, { cursor, seq: page.seq, text });
    return text;
  }
}

function readerOf({ config }: PullDeps, { accountId, deviceId, capabilities }: DeviceAccess): FeedReader {
  const authority = config.environment === "live" ? "production" : "test";
  return { accountId, deviceId, capabilities, qrOf: (cufe) => qrUrl(cufe, authority) };
}

/** A register that was just woken gets a few changes; one that was offline for a week may get a long page. */
function isShort(state: FeedState, after: number): boolean {
  return state.seq - after <= 20;
}

/** The position of a valid cursor. An empty cursor starts a snapshot. */
function positionOf(cursor: string, owner: CursorOwner, state: FeedState): Pick<FeedCursor, "seq" | "snapshotSeq"> {
  if (cursor === "") return { seq: 0, snapshotSeq: state.seq };
  const read = decodeFeedCursor(cursor, owner);
  if (read === undefined) throw new ApiError("INVALID_CURSOR", { param: "cursor" });
  if (read === "foreign" || read.epoch !== state.epoch) throw new ApiError("CURSOR_EXPIRED", { param: "cursor" });
  // A snapshot needs no tombstones from before it began, even while its pages are below the floor.
  const known = Math.max(read.seq, read.snapshotSeq ?? 0);
  // A cursor ahead of the account dates from before the database was restored from a backup.
  if (known < state.floor || known > state.seq) throw new ApiError("CURSOR_EXPIRED", { param: "cursor" });
  return read;
}

function responseWith(
  owner: CursorOwner,
  state: FeedState,
  page: FeedPage,
  snapshotSeq: number | undefined,
): { cursor: string; text: string } {
  const { epoch, ackedSeq } = state;
  const cursor = encodeFeedCursor({ epoch, seq: page.seq, snapshotSeq: page.hasMore ? snapshotSeq : undefined }, owner);
  const text = `{"changes":[${page.changes.join(",")}],"cursor":"${cursor}","has_more":${page.hasMore},"epoch":"${epoch}","acked_seq":${ackedSeq}}`;
  return { cursor, text };
}
