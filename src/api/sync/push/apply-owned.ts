import type { RecordBody, Stored } from "../../../engine/resources/resource.ts";
import type { Uploaded } from "../../../engine/resources/uploaded.ts";
import type { Batch, Shelf } from "./batch.ts";
import { duplicate, type Outcome } from "./outcome.ts";
import type { Incoming } from "./read-record.ts";

/** Whether an upload of an owned record may be stored, or what to answer instead. */
export type Claim = { kind: "new" } | { kind: "change" } | { kind: "refused"; outcome: Outcome };

/**
 * A sale, a document or a shift belongs to the device that made it, and its numbers order its changes. Another device
 * may take it over only from one that will not write again, and only with a later edit: a register that had to enrol
 * anew goes on with its open sales, and its old backup reverts none.
 */
export function claim<B extends RecordBody, P extends Uploaded>(
  batch: Batch,
  shelf: Shelf<B, P>,
  record: Incoming,
  same: (stored: B) => boolean,
): Claim {
  const stored = shelf.get(record.id);
  if (!stored) return { kind: "new" };
  if (same(stored.body)) return { kind: "refused", outcome: duplicate };
  const isOwner = stored.device_id === batch.deviceId;
  if (isOwner && record.deviceSeq > (stored.device_seq ?? 0)) return { kind: "change" };
  const isLater = batch.editedAtMs(record) > new Date(stored.edited_at ?? 0).getTime();
  if (!isOwner && stored.device_id && batch.gone.has(stored.device_id) && isLater) return { kind: "change" };
  batch.lose(record, { unit: "*", kept: null, lost: record.data });
  return { kind: "refused", outcome: { status: "merged", record: stored.body } };
}

/** The memory of an owned record after this upload. */
export function ownership(batch: Batch, record: Incoming): Pick<Uploaded, "device_id" | "device_seq" | "edited_at"> {
  return {
    device_id: batch.deviceId,
    device_seq: record.deviceSeq,
    edited_at: new Date(batch.editedAtMs(record)).toISOString(),
  };
}

/** Marks a state as announced; false when it was before. A row remembers for ever, the event log 30 days. */
export function announceOnce(memory: Pick<Uploaded, "announced">, state: string): string[] | undefined {
  const announced = memory.announced ?? [];
  return announced.includes(state) ? undefined : [...announced, state];
}

export function textOf(record: Stored<RecordBody>["body"]): string {
  return JSON.stringify(record);
}
