import type { Deps } from "../../deps.ts";
import type { DeviceAccess } from "../../devices/device-access.ts";
import { second } from "../../lib/clock.ts";
import { ApiError } from "../../lib/errors.ts";
import { decodeFeedCursor, encodeFeedCursor } from "./cursor.ts";
import { type FeedPage, type FeedState, readFeed, readFeedState } from "./read-feed.ts";
import type { WaitingRoom } from "./waiting.ts";

export interface PullRequest {
  cursor: string;
  limit: number;
  waitSeconds: number;
  /** The register went away. */
  gone: AbortSignal;
}

/** What changed after a register's cursor, as the text of the answer. With nothing new it waits, if it was asked to. */
export async function pull(deps: Deps, room: WaitingRoom, device: DeviceAccess, request: PullRequest): Promise<string> {
  const until = performance.now() + request.waitSeconds * second;
  for (;;) {
    const state = await readFeedState(deps.pool, device.accountId, device.deviceId);
    const after = placeOf(request.cursor, device.accountId, state);
    // Most waiting registers have nothing to read: the state alone tells.
    const page: FeedPage =
      state.feedSeq > after
        ? await readFeed(deps.pool, device.accountId, after, request.limit, state.seq)
        : { changes: [], hasMore: false, seq: state.seq };
    const leftMs = until - performance.now();
    if (page.changes.length > 0 || leftMs <= 0 || request.gone.aborted) return answer(device, state, page);
    const isWoken = await room.wait(device.accountId, Math.max(after, state.feedSeq), leftMs, request.gone);
    // A wait that ended by itself is not worth another look: the next request takes one.
    if (!isWoken) return answer(device, state, page);
  }
}

/** The seq of a cursor that is still good. */
function placeOf(cursor: string, accountId: string, state: FeedState): number {
  if (cursor === "") return 0;
  const read = decodeFeedCursor(cursor, accountId);
  if (read === undefined) throw new ApiError("INVALID_CURSOR", { param: "cursor" });
  // A cursor ahead of the account comes from before the database was restored.
  if (read === "foreign" || read.epoch !== state.epoch || read.seq < state.floor || read.seq > state.seq)
    throw new ApiError("CURSOR_EXPIRED", { param: "cursor" });
  return read.seq;
}

function answer(device: DeviceAccess, { epoch, ackedSeq }: FeedState, page: FeedPage): string {
  const cursor = encodeFeedCursor({ epoch, seq: page.seq }, device.accountId);
  return `{"changes":[${page.changes.join(",")}],"cursor":"${cursor}","has_more":${page.hasMore},"epoch":"${epoch}","acked_seq":${ackedSeq}}`;
}
