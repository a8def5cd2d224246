import { day, hour, minute } from "../../../lib/clock.ts";
import type { Taken } from "./judge-rights.ts";
import type { Incoming } from "./read-record.ts";

/** A clock that is off by more than this does not say what was done before what. */
const believableSkewMs = hour;

/** What somebody did is recorded a moment later. */
const besideMs = 5 * minute;

/** A century: an instant of no calendar year was left out of its record, and the owner was told. */
const oddMs = 100 * 365 * day;

interface Clock {
  /** The write's instant, in ms. */
  now: number;
  /** How far the register's clock is behind the server's. */
  skewMs: number;
}

export interface Times {
  /** Takes in, in their order, the records of a push whose register had said before that it is so late; returns how late it says now. */
  begin(saidUntil: number, records: readonly Said[]): number;
  /** When a record was made, at the earliest. */
  madeAt(record: Said): number;
  /** By which time somebody's right to something is judged. */
  judgedAt(record: Incoming, taken: Taken): number;
}

type Said = Pick<Incoming, "deviceSeq" | "editedAt">;

/**
 * When uploads were made: never before what their register had said already, since it numbers them in the order in which it makes
 * them. `clock` is asked when a time is. What `isKnown` was there before this push: it was not done when it is uploaded once more.
 */
export function openTimes(clock: () => Clock, isKnown: (record: Incoming, taken: Taken) => boolean): Times {
  const made = new Map<number, number>();
  const saidIn = ({ editedAt }: Said) => (editedAt === null ? clock().now : onServer(editedAt, clock()));
  const madeAt = (record: Said) => made.get(record.deviceSeq) ?? saidIn(record);
  return {
    begin(saidUntil, records) {
      let latest = saidUntil;
      for (const record of records) {
        latest = Math.max(latest, saidIn(record));
        made.set(record.deviceSeq, latest);
      }
      return latest;
    },
    madeAt,
    judgedAt: (record, taken) => judgedAt(taken, madeAt(record), isKnown(record, taken), clock()),
  };
}

/** An instant of the register's by the server's clock, and never in the future. */
function onServer(said: string, { now, skewMs }: Clock): number {
  const ms = Date.parse(said);
  const corrected = ms + skewMs;
  return Math.min(now, Math.abs(skewMs) > believableSkewMs ? Math.max(ms, corrected) : corrected);
}

/**
 * When the record says that it was done, but not long before the record was made. What is uploaded once more and was known already is judged
 * by what it says alone.
 */
function judgedAt({ at }: Pick<Taken, "at">, made: number, isKnown: boolean, { now, skewMs }: Clock): number {
  if (at === null) return made;
  const said = Date.parse(at) + skewMs;
  if (!(Math.abs(now - said) < oddMs)) return now;
  return isKnown || made - said <= besideMs ? said : made;
}
