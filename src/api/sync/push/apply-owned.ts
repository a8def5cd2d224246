import type { OwnedColumns } from "../../../engine/resources/owned-columns.ts";
import type { RecordBody } from "../../../engine/resources/resource.ts";
import { isSame } from "../../../engine/resources/revisions.ts";
import { duplicate, type Outcome } from "./outcome.ts";
import type { Incoming } from "./read-record.ts";
import type { RecordSet, WorkingSet } from "./working-set.ts";

/** Whether an upload of an owned record may be stored, or else its outcome. */
export type Claim = { kind: "new" } | { kind: "change" } | { kind: "refused"; outcome: Outcome };

/**
 * A sale, a document or a shift belongs to the device that created it; the device's sequence numbers order its changes.
 * Another device may take it over only from a retired device and only with a later edit: a register that had to enrol
 * again can continue its open sales, but an old backup cannot revert them.
 */
export function claim<B extends RecordBody, P extends OwnedColumns>(
  batch: WorkingSet,
  recordSet: RecordSet<B, P>,
  record: Incoming,
  read: (stored: B) => B,
): Claim {
  const stored = recordSet.get(record.id);
  if (!stored) return { kind: "new" };
  if (isSame(read(stored.body), withoutOurs(stored.body))) return { kind: "refused", outcome: duplicate };
  const isOwner = stored.device_id === batch.deviceId;
  if (isOwner && record.deviceSeq > (stored.device_seq ?? 0)) return { kind: "change" };
  const isLater = batch.editedAtMs(record) > new Date(stored.edited_at ?? 0).getTime();
  if (!isOwner && stored.device_id && batch.retiredDevices.has(stored.device_id) && isLater) return { kind: "change" };
  batch.addConflict(record, { unit: "*", kept: null, lost: record.data });
  return { kind: "refused", outcome: { status: "merged", record: stored.body } };
}

/** An upload says nothing of the version, nor of the sede. */
export function withoutOurs<B extends RecordBody>({ version: _, location_id: __, ...rest }: B) {
  return rest;
}

/** The private columns of an owned record after this upload. */
export function ownerColumns(
  batch: WorkingSet,
  record: Incoming,
): Pick<OwnedColumns, "device_id" | "device_seq" | "edited_at"> {
  return {
    device_id: batch.deviceId,
    device_seq: record.deviceSeq,
    edited_at: new Date(batch.editedAtMs(record)).toISOString(),
  };
}

/** The announced states including this one; undefined if its event was already emitted. */
export function announceOnce(columns: Pick<OwnedColumns, "announced">, state: string): string[] | undefined {
  const announced = columns.announced ?? [];
  return announced.includes(state) ? undefined : [...announced, state];
}
