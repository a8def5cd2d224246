import type { Lane } from "../../engine/deliveries/delivery-signal.ts";
import type { SendingEndpoint } from "../endpoints/store.ts";
import type { Sender } from "../sending/send.ts";
import type { Claimed, LaneClaim } from "./claim.ts";
import { claimSize, laneCap } from "./lane-cap.ts";

export interface WaitingDelivery extends Claimed {
  /** On the process's own clock. */
  claimedAtMs: number;
}

/** One endpoint's queue as this process sees it. */
export interface LaneState extends Lane {
  inFlight: number;
  /** Claimed and not yet sent, oldest first. */
  waiting: WaitingDelivery[];
  isFast: boolean;
  /** Whether the database may hold more that is due. */
  hasMore: boolean;
  /** Counts what was heard of it, so that a claim made before the news does not end the search. */
  news: number;
  usedAtMs: number;
  endpoint: SendingEndpoint | undefined;
  sender: Sender | undefined;
}

/** The lanes of one process: what each has in flight, and whose turn it is. */
export interface LaneBook {
  knows(lane: Lane): boolean;
  /** Something is due there. */
  expect(lane: Lane): void;
  /** What to claim now; the lanes that waited longest come first. */
  claims(most: number): (LaneClaim & { news: number })[];
  /** Sorts what was claimed into its lanes and returns those. */
  take(claims: readonly (LaneClaim & { news: number })[], claimed: readonly Claimed[]): LaneState[];
  cap(lane: LaneState): number;
  isWorthClaiming(lane: LaneState): boolean;
  began(lane: LaneState): void;
  ended(lane: LaneState, delivered: boolean, durationMs: number): void;
  /** The lane itself, then the others of its account: one that ended makes room for them too. */
  waitingBeside(lane: LaneState): LaneState[];
  /** Empties these lanes, or all of them. */
  giveUpWaiting(of?: readonly LaneState[]): Claimed[];
  /** For the operator: lanes in use, what they have in flight, and what waits for its turn in memory. */
  totals(): { lanes: number; inFlight: number; waiting: number };
  forgetIdle(): void;
  close(): void;
}

/** An answer under this leaves the lane fast. */
const fastMs = 1_000;
/** Connections of a lane without deliveries are closed, and the lane forgotten, after this. */
const idleMs = 60_000;

export function laneBook(): LaneBook {
  const lanes = new Map<string, LaneState>();
  const accountInFlight = new Map<string, number>();
  const lanesOfAccount = new Map<string, Set<LaneState>>();
  let processInFlight = 0;

  function stateOf(lane: Lane): LaneState {
    let state = lanes.get(lane.endpointId);
    if (!state) {
      state = {
        accountId: lane.accountId,
        endpointId: lane.endpointId,
        inFlight: 0,
        waiting: [],
        isFast: false,
        hasMore: false,
        news: 0,
        usedAtMs: performance.now(),
        endpoint: undefined,
        sender: undefined,
      };
      lanes.set(lane.endpointId, state);
      const siblings = lanesOfAccount.get(lane.accountId) ?? new Set();
      lanesOfAccount.set(lane.accountId, siblings.add(state));
    }
    return state;
  }

  function cap(lane: LaneState): number {
    return laneCap({
      restOfAccount: (accountInFlight.get(lane.accountId) ?? 0) - lane.inFlight,
      restOfProcess: processInFlight - lane.inFlight,
    });
  }

  function count(lane: LaneState, change: 1 | -1): void {
    lane.inFlight += change;
    processInFlight += change;
    accountInFlight.set(lane.accountId, (accountInFlight.get(lane.accountId) ?? 0) + change);
    lane.usedAtMs = performance.now();
  }

  /** Claims are worth their statement when half of the lane's room is free. */
  function isWorthClaiming(lane: LaneState): boolean {
    if (!lane.hasMore) return false;
    const most = cap(lane);
    return claimSize(most, lane) * 2 >= claimSize(most, { inFlight: 0, waiting: [], isFast: lane.isFast });
  }

  return {
    knows: (lane) => lanes.get(lane.endpointId)?.hasMore === true || (lanes.get(lane.endpointId)?.inFlight ?? 0) > 0,
    expect(lane) {
      const state = stateOf(lane);
      state.hasMore = true;
      state.news += 1;
    },
    claims(most) {
      const found: (LaneClaim & { news: number })[] = [];
      for (const lane of lanes.values()) {
        if (found.length >= most) break;
        if (!isWorthClaiming(lane)) continue;
        const { accountId, endpointId, news } = lane;
        found.push({ accountId, endpointId, news, size: claimSize(cap(lane), lane) });
      }
      return found;
    },
    take(claims, claimed) {
      const byLane = Map.groupBy(claimed, ({ endpointId }) => endpointId);
      const claimedAtMs = performance.now();
      return claims.map((claim) => {
        const lane = stateOf(claim);
        const own = byLane.get(claim.endpointId) ?? [];
        own.sort((a, b) => a.dueAt.getTime() - b.dueAt.getTime());
        for (const delivery of own) lane.waiting.push({ ...delivery, claimedAtMs });
        if (own.length < claim.size && lane.news === claim.news) lane.hasMore = false;
        // To the end of the line: the next claim begins with the others.
        lanes.delete(lane.endpointId);
        lanes.set(lane.endpointId, lane);
        return lane;
      });
    },
    cap,
    isWorthClaiming,
    began: (lane) => count(lane, 1),
    ended(lane, delivered, durationMs) {
      count(lane, -1);
      lane.isFast = delivered && durationMs < fastMs;
    },
    waitingBeside(lane) {
      const siblings = [...(lanesOfAccount.get(lane.accountId) ?? [])];
      return [lane, ...siblings.filter((one) => one !== lane && one.waiting.length > 0)];
    },
    giveUpWaiting(of = [...lanes.values()]) {
      return of.flatMap((lane) => {
        lane.hasMore ||= lane.waiting.length > 0;
        return lane.waiting.splice(0);
      });
    },
    totals: () => ({
      lanes: lanes.size,
      inFlight: processInFlight,
      waiting: [...lanes.values()].reduce((sum, lane) => sum + lane.waiting.length, 0),
    }),
    forgetIdle() {
      const before = performance.now() - idleMs;
      for (const lane of lanes.values()) {
        if (lane.inFlight > 0 || lane.waiting.length > 0 || lane.hasMore || lane.usedAtMs > before) continue;
        lane.sender?.close();
        lanes.delete(lane.endpointId);
        const siblings = lanesOfAccount.get(lane.accountId);
        siblings?.delete(lane);
        if (siblings?.size === 0) {
          lanesOfAccount.delete(lane.accountId);
          accountInFlight.delete(lane.accountId);
        }
      }
    },
    close() {
      for (const lane of lanes.values()) lane.sender?.close();
    },
  };
}
