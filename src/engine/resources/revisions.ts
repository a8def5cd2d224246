/**
 * Who changed which field last. Registers edit offline, so two edits of a record are merged unit by unit. A unit is one
 * field, or fields that only make sense together, such as a price and its discount.
 */

/** The change's place in the account's order, its time (in ms, corrected for clock skew), and the device, if any. */
export type Revision = [seq: number, atMs: number, deviceId?: string];

/** By unit. "*" is the record's creation, which applies to every unit without its own entry. */
export type Revisions = Record<string, Revision>;

/** The values of a record's units. A key with dots belongs to a part: `variants.<id>.label` to `variants.<id>`. */
export type Units = Record<string, unknown>;

export interface Tracking {
  revisions: Revisions;
  /** The last change that registers must receive. */
  feedSeq: number;
}

export const creation = "*";

/** A unit's own revision, or that of the part it belongs to, or the record's creation. */
export function revisionOf(revisions: Revisions, unit: string): Revision {
  for (let key = unit; key !== ""; key = key.slice(0, Math.max(0, key.lastIndexOf(".")))) {
    const own = revisions[key];
    if (own) return own;
  }
  return revisions[creation] ?? [0, 0];
}

export function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

/** The tracking of a new record. */
export function trackNew(seq: number, at: Date): Tracking {
  return { revisions: { [creation]: [seq, at.getTime()] }, feedSeq: seq };
}

/** The tracking after a write that does not say which fields it edited: every unit that differs was changed by it. */
export function track(before: { units: Units; tracking: Tracking }, after: Units, seq: number, at: Date): Tracking {
  const keys = new Set([...Object.keys(before.units), ...Object.keys(after)]);
  const changed = [...keys].filter((key) => !isSame(before.units[key], after[key]));
  if (changed.length === 0) return before.tracking;
  const revisions = { ...before.tracking.revisions };
  for (const key of changed) revisions[key] = [seq, at.getTime()];
  return { revisions, feedSeq: seq };
}
