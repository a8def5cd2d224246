import { isSame, type Revision, type Revisions, revisionOf, type Units } from "../../../engine/resources/revisions.ts";

/** An edit made at a register, online or offline. */
export interface Edit {
  /** The seq of the write that applies it. */
  seq: number;
  /** When it was made, corrected for the register's clock skew. */
  atMs: number;
  deviceId: string;
  /** The last change that the register had seen. */
  baseSeq: number;
}

export interface Conflict {
  unit: string;
  kept: unknown;
  lost: unknown;
}

export interface Merged {
  units: Units;
  revisions: Revisions;
  changed: string[];
  conflicts: Conflict[];
}

/**
 * Merges an edit unit by unit. It overwrites changes that the register had seen; against unseen changes, the later edit
 * wins. The same edits therefore give the same record in any order of arrival.
 */
export function mergeFields(current: { units: Units; revisions: Revisions }, incoming: Units, edit: Edit): Merged {
  const merged: Merged = { units: { ...current.units }, revisions: current.revisions, changed: [], conflicts: [] };
  for (const [unit, value] of Object.entries(incoming)) {
    const kept = current.units[unit];
    if (isSame(kept, value)) continue;
    const revision = revisionOf(current.revisions, unit);
    if (!overwrites(edit, revision)) {
      merged.conflicts.push({ unit, kept, lost: value });
      continue;
    }
    merged.units[unit] = value;
    setRevision(merged, unit, edit, revision);
  }
  return merged;
}

export function hasSeen(edit: Edit, [seq, , deviceId]: Revision): boolean {
  return seq <= edit.baseSeq || deviceId === edit.deviceId;
}

function overwrites(edit: Edit, revision: Revision): boolean {
  if (hasSeen(edit, revision)) return true;
  const [, atMs, deviceId = ""] = revision;
  // For two edits in the same millisecond any rule will do that does not depend on the order of arrival.
  return edit.atMs > atMs || (edit.atMs === atMs && edit.deviceId > deviceId);
}

/** An edit based on another counts as later, whatever the clocks say, so that a third one cannot come between them. */
function setRevision(merged: Merged, unit: string, edit: Edit, before: Revision): void {
  const atMs = hasSeen(edit, before) ? Math.max(edit.atMs, before[1] + 1) : edit.atMs;
  merged.revisions = { ...merged.revisions, [unit]: [edit.seq, atMs, edit.deviceId] };
  merged.changed.push(unit);
}

/** An uploaded list of parts, such as a product's variants. */
export interface Parts {
  list: string;
  parts: Map<string, Units>;
  /** The upload has the whole list: parts that are not in it were deleted. */
  isWhole: boolean;
  /** The parts and units that the upload marks as edited. The others may be outdated. */
  named: ReadonlySet<string>;
}

/**
 * Merges a list part by part. A missing part that the register had seen was deleted; one it had not seen stays. A part
 * that it still lists, but whose deletion it had not seen, stays deleted.
 */
export function mergeParts(merged: Merged, { list, parts, isWhole, named }: Parts, edit: Edit): void {
  const present = Object.keys(merged.units).filter((unit) => isPart(unit, list));
  for (const part of present.filter((one) => !parts.has(one) && (isWhole || named.has(one)))) {
    const revision = revisionOf(merged.revisions, part);
    if (!hasSeen(edit, revision)) continue;
    for (const unit of Object.keys(merged.units))
      if (unit === part || unit.startsWith(`${part}.`)) delete merged.units[unit];
    setRevision(merged, part, edit, revision);
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
    // In a whole list, a value that differs from an unseen edit is most likely outdated: it does not overwrite.
    return isWhole && hasSeen(edit, revisionOf(merged.revisions, unit));
  });
  const inner = mergeFields(merged, Object.fromEntries(edited), edit);
  merged.units = inner.units;
  merged.revisions = inner.revisions;
  merged.changed.push(...inner.changed);
  merged.conflicts.push(...inner.conflicts);
}

function addPart(merged: Merged, part: string, units: Units, edit: Edit): void {
  const tombstone = merged.revisions[part];
  if (tombstone && !hasSeen(edit, tombstone)) return;
  Object.assign(merged.units, units);
  merged.revisions = withoutPart(merged.revisions, part);
  setRevision(merged, part, edit, tombstone ?? [0, 0]);
}

function isPart(unit: string, list: string): boolean {
  return unit.startsWith(`${list}.`) && !unit.slice(list.length + 1).includes(".");
}

function withoutPart(revisions: Revisions, part: string): Revisions {
  return Object.fromEntries(Object.entries(revisions).filter(([unit]) => !unit.startsWith(`${part}.`)));
}
