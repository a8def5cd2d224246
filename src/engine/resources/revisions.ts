/**
 * Who changed which field last. Registers edit offline, so two edits compete field by field; what is compared is a unit:
 * one field, or fields that only make sense together, such as a price and its discount.
 */

/** The change's place in the account's order, when it was edited (corrected, in ms), and the device, if one did. */
export type Revision = [seq: number, atMs: number, deviceId?: string];

/** By unit. "*" is the record's making, which stands for every unit without an entry of its own. */
export type Revisions = Record<string, Revision>;

/** The values of a record's units. A key with dots belongs to a part: `variants.<id>.label` to `variants.<id>`. */
export type Units = Record<string, unknown>;

export interface Tracking {
  revisions: Revisions;
  /** The last change of what registers receive. */
  feedSeq: number;
}

export const making = "*";

/** A unit's revision: its own, else that of the part it belongs to, else the record's making. */
export function revisionOf(revisions: Revisions, unit: string): Revision {
  for (let key = unit; key !== ""; key = key.slice(0, Math.max(0, key.lastIndexOf(".")))) {
    const own = revisions[key];
    if (own) return own;
  }
  return revisions[making] ?? [0, 0];
}

export function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

/** The tracking of a record after a write that says no more than what it stores: every unit that differs changed now. */
export function track(
  before: { units: Units; tracking: Tracking } | undefined,
  after: Units,
  seq: number,
  at: Date,
): Tracking {
  if (!before) return { revisions: { [making]: [seq, at.getTime()] }, feedSeq: seq };
  const keys = new Set([...Object.keys(before.units), ...Object.keys(after)]);
  const changed = [...keys].filter((key) => !isSame(before.units[key], after[key]));
  if (changed.length === 0) return before.tracking;
  const revisions = { ...before.tracking.revisions };
  for (const key of changed) revisions[key] = [seq, at.getTime()];
  return { revisions, feedSeq: seq };
}
