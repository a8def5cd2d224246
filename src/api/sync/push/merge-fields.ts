import { isSame, type Revision, type Revisions, revisionOf, type Units } from "../../../engine/resources/revisions.ts";

/** An edit as a register made it, offline or not. */
export interface Edit {
  /** The change that brings it in. */
  seq: number;
  /** When it was made, corrected by the register's skew. */
  atMs: number;
  deviceId: string;
  /** The last change its maker had seen. */
  baseSeq: number;
}

export interface Lost {
  unit: string;
  kept: unknown;
  lost: unknown;
}

export interface Merged {
  units: Units;
  revisions: Revisions;
  changed: string[];
  lost: Lost[];
}

/**
 * Merges an edit unit by unit. What its maker had seen, it may overwrite; against what it had not seen, the later edit
 * wins. So the same edits give the same record in whatever order they arrive.
 */
export function mergeFields(current: { units: Units; revisions: Revisions }, incoming: Units, edit: Edit): Merged {
  const merged: Merged = { units: { ...current.units }, revisions: current.revisions, changed: [], lost: [] };
  for (const [unit, value] of Object.entries(incoming)) {
    const kept = current.units[unit];
    if (isSame(kept, value)) continue;
    const revision = revisionOf(current.revisions, unit);
    if (!overwrites(edit, revision)) {
      merged.lost.push({ unit, kept, lost: value });
      continue;
    }
    merged.units[unit] = value;
    note(merged, unit, edit, revision);
  }
  return merged;
}

export function hasSeen(edit: Edit, [seq, , deviceId]: Revision): boolean {
  return seq <= edit.baseSeq || deviceId === edit.deviceId;
}

function overwrites(edit: Edit, revision: Revision): boolean {
  if (hasSeen(edit, revision)) return true;
  const [, atMs, deviceId = ""] = revision;
  // Two edits of one millisecond: any rule will do, as long as it does not ask who came first.
  return edit.atMs > atMs || (edit.atMs === atMs && edit.deviceId > deviceId);
}

/** An edit that follows another is later than it, whatever the clocks said: a third one must not slip between them. */
function note(merged: Merged, unit: string, edit: Edit, before: Revision): void {
  const atMs = hasSeen(edit, before) ? Math.max(edit.atMs, before[1] + 1) : edit.atMs;
  merged.revisions = { ...merged.revisions, [unit]: [edit.seq, atMs, edit.deviceId] };
  merged.changed.push(unit);
}

/** A list of parts, such as a product's variants, as its maker has it. */
export interface Parts {
  list: string;
  parts: Map<string, Units>;
  /** The upload speaks of the whole list: what is not in it was taken away. */
  isWhole: boolean;
  /** The parts and units that the upload names as edited; the rest of them may just be old. */
  named: ReadonlySet<string>;
}

/**
 * Merges a list part by part. One that its maker left out though it had seen it was taken away; one it had not seen
 * stays; one it still lists though it was taken away unseen stays away.
 */
export function mergeParts(merged: Merged, { list, parts, isWhole, named }: Parts, edit: Edit): void {
  const present = Object.keys(merged.units).filter((unit) => isPart(unit, list));
  for (const part of present.filter((one) => !parts.has(one) && (isWhole || named.has(one)))) {
    const revision = revisionOf(merged.revisions, part);
    if (!hasSeen(edit, revision)) continue;
    for (const unit of Object.keys(merged.units))
      if (unit === part || unit.startsWith(`${part}.`)) delete merged.units[unit];
    note(merged, part, edit, revision);
  }
  for (const [part, units] of parts) {
    if (merged.units[part] === undefined) addPart(merged, part, units, edit);
    else mergePart(merged, part, units, { isWhole, named }, edit);
  }
}

function mergePart(
  merged: Merged,
  part: string,
  { [part]: _, ...units }: Units,
  { isWhole, named }: Pick<Parts, "isWhole" | "named">,
  edit: Edit,
): void {
  const isNamed = (unit: string) => named.has(part) || named.has(unit);
  const edited = Object.entries(units).filter(([unit]) => {
    if (isNamed(unit)) return true;
    // In a whole list, what differs from an edit unseen is far more often old than new: it does not overwrite.
    return isWhole && hasSeen(edit, revisionOf(merged.revisions, unit));
  });
  const inner = mergeFields(merged, Object.fromEntries(edited), edit);
  merged.units = inner.units;
  merged.revisions = inner.revisions;
  merged.changed.push(...inner.changed);
  merged.lost.push(...inner.lost);
}

function addPart(merged: Merged, part: string, units: Units, edit: Edit): void {
  const tombstone = merged.revisions[part];
  if (tombstone && !hasSeen(edit, tombstone)) return;
  Object.assign(merged.units, units);
  merged.revisions = withoutPart(merged.revisions, part);
  note(merged, part, edit, tombstone ?? [0, 0]);
}

function isPart(unit: string, list: string): boolean {
  return unit.startsWith(`${list}.`) && !unit.slice(list.length + 1).includes(".");
}

function withoutPart(revisions: Revisions, part: string): Revisions {
  return Object.fromEntries(Object.entries(revisions).filter(([unit]) => !unit.startsWith(`${part}.`)));
}
