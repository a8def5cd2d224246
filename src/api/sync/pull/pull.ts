import type { DeviceAccess } from "../../../access/devices/device-access.ts";
import type { ServedDeps } from "../../../deps.ts";
import { second } from "../../../lib/clock.ts";
import { ApiError } from "../../../lib/errors.ts";
import { type CursorOwner, decodeFeedCursor, encodeFeedCursor, type FeedCursor } from "./cursor.ts";
import type { IdleAnswers } from "./idle-answers.ts";
import { type FeedPage, type FeedState, readFeed, readFeedState } from "./read-feed.ts";
import type { Leaving, WaitingRoom } from "./waiting.ts";

export interface PullDeps extends ServedDeps {
  room: WaitingRoom;
  idle: IdleAnswers;
}

export interface PullRequest {
  cursor: string;
  limit: number;
  waitSeconds: number;
  leaving: Leaving;
  /** Waits for room for a page. */
  admit: () => Promise<void>;
  /** Throws if the register may not be here any more. */
  confirm: () => Promise<void>;
}

/** What changed after a register's cursor, as the text of the answer. With nothing new it waits, if it was asked to. */
export async function pull(deps: PullDeps, device: DeviceAccess, request: PullRequest): Promise<string> {
  const { room, idle } = deps;
  const owner: CursorOwner = { key: deps.config.secretKey, accountId: device.accountId };
  const until = performance.now() + request.waitSeconds * second;
  const last = request.waitSeconds > 0 ? idle.find(device.deviceId, request.cursor) : undefined;
  const wait = async (seq: number, waitMs: number) => {
    await request.confirm();
    return room.wait(device, seq, waitMs, request.leaving);
  };
  if (last && !(await wait(last.seq, request.waitSeconds * second))) return last.text;
  for (;;) {
    const state = await readFeedState(deps.reads, device.accountId, device.deviceId);
    const { seq: after, begun } = placeOf(request.cursor, owner, state);
    // Most waiting registers have nothing to read: the state alone tells.
    if (state.feedSeq > after) await request.admit();
    const page: FeedPage =
      state.feedSeq > after
        ? await readFeed(
            isShort(state, after) ? deps.reads : deps.pool,
            device.accountId,
            after,
            request.limit,
            state.seq,
          )
        : { changes: [], hasMore: false, seq: state.seq };
    if (page.changes.length > 0) return answer(owner, state, page, begun).text;
    const leftMs = until - performance.now();
    // A wait that ended by itself is not worth another look: the next request takes one.
    const isWoken = leftMs > 0 && (await wait(Math.max(after, state.feedSeq), leftMs));
    if (isWoken) continue;
    const { cursor, text } = answer(owner, state, page, begun);
    if (request.waitSeconds > 0) idle.keep(device.deviceId, device.accountId, { cursor, seq: page.seq, text });
    return text;
  }
}

/** What woke a register is a page of a few changes; what it missed in a week may be a long one. */
function isShort(state: FeedState, after: number): boolean {
  return state.seq - after <= 20;
}

/** The place of a cursor that is still good; from an empty one a snapshot begins. */
function placeOf(cursor: string, owner: CursorOwner, state: FeedState): Pick<FeedCursor, "seq" | "begun"> {
  if (cursor === "") return { seq: 0, begun: state.seq };
  const read = decodeFeedCursor(cursor, owner);
  if (read === undefined) throw new ApiError("INVALID_CURSOR", { param: "cursor" });
  if (read === "foreign" || read.epoch !== state.epoch) throw new ApiError("CURSOR_EXPIRED", { param: "cursor" });
  // A snapshot misses no tombstone from before it began, however far below the floor its pages still are.
  const known = Math.max(read.seq, read.begun ?? 0);
  // A cursor ahead of the account comes from before the database was restored.
  if (known < state.floor || known > state.seq) throw new ApiError("CURSOR_EXPIRED", { param: "cursor" });
  return read;
}

function answer(
  owner: CursorOwner,
  state: FeedState,
  page: FeedPage,
  begun: number | undefined,
): { cursor: string; text: string } {
  const { epoch, ackedSeq } = state;
  const cursor = encodeFeedCursor({ epoch, seq: page.seq, begun: page.hasMore ? begun : undefined }, owner);
  const text = `{"changes":[${page.changes.join(",")}],"cursor":"${cursor}","has_more":${page.hasMore},"epoch":"${epoch}","acked_seq":${ackedSeq}}`;
  return { cursor, text };
}
