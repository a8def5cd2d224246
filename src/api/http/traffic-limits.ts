import { second } from "../../lib/clock.ts";

const mebibyte = 1024 * 1024;

/** What one account may use of a process that it shares with all others. */
export interface TrafficLimits {
  /** A client that reads nothing of its response for this long is disconnected. */
  stallMs: number;
  /** Responses of one account that its clients have not read yet. */
  unreadBytes: number;
  /** Responses of one account that are being prepared, estimated by its previous ones. */
  makingBytes: number;
  /** Request bodies of one account's pushes that are being read and stored. */
  pushingBytes: number;
  /** Requests of one account that wait for memory; only their headers have been read. */
  waitingRequests: number;
  exportsAtOnce: number;
  /** Portal API requests of one account, or of one address without a session. */
  portalPerSecond: number;
  portalBurst: number;
}

const usual: TrafficLimits = {
  stallMs: 30 * second,
  unreadBytes: 4 * mebibyte,
  makingBytes: 2 * mebibyte,
  // The largest push uses all of it; of the usual ones, hundreds fit.
  pushingBytes: mebibyte,
  waitingRequests: 200,
  exportsAtOnce: 2,
  // A page makes about six requests and refreshes them: nobody clicks this fast.
  portalPerSecond: 10,
  portalBurst: 100,
};

export function limitsOf({ traffic }: { traffic?: Partial<TrafficLimits> }): TrafficLimits {
  return { ...usual, ...traffic };
}
