import { second } from "../../lib/clock.ts";

const mebibyte = 1024 * 1024;

/** What one business may take of a process that it shares with all others. */
export interface TrafficLimits {
  /** A client that reads nothing of its answer for so long is cut off. */
  stallMs: number;
  /** Answers of one account that its clients have not taken yet. */
  unreadBytes: number;
  /** Answers of one account that are being made, by what its last ones weighed. */
  makingBytes: number;
  /** Bodies of one account's pushes that are being read and stored. */
  pushingBytes: number;
  /** Requests of one account that wait for room, none of them read further than its headers. */
  waitingRequests: number;
  exportsAtOnce: number;
  /** Calls of the portal's API by one account, or by one address that is not signed in. */
  portalPerSecond: number;
  portalBurst: number;
}

const usual: TrafficLimits = {
  stallMs: 30 * second,
  unreadBytes: 4 * mebibyte,
  makingBytes: 2 * mebibyte,
  // The largest push has it to itself; of the usual ones, hundreds fit.
  pushingBytes: mebibyte,
  waitingRequests: 200,
  exportsAtOnce: 2,
  // A page asks for some six things, and refreshes them: nobody clicks this fast.
  portalPerSecond: 10,
  portalBurst: 100,
};

export function limitsOf({ traffic }: { traffic?: Partial<TrafficLimits> }): TrafficLimits {
  return { ...usual, ...traffic };
}
