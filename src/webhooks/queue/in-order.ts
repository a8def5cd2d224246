import type { ClaimedDelivery } from "./claim.ts";

export interface WaitingDelivery extends ClaimedDelivery {
  /** On the process's own clock. */
  claimedAtMs: number;
}

/** What one endpoint is to be sent, in order: of one record one at a time, of different records side by side. */
export interface Line {
  /** Claimed and not yet sent, oldest first. */
  waiting: WaitingDelivery[];
  /** The records of which something is being sent. */
  sending: Set<string>;
  /** How many deliveries of each record wait or are being sent. */
  ofRecord: Map<string, number>;
  /** How many of those that wait have an earlier one of their record before them. */
  behind: number;
}

export function newLine(): Line {
  return { waiting: [], sending: new Set(), ofRecord: new Map(), behind: 0 };
}

export function join(line: Line, delivery: WaitingDelivery): void {
  line.waiting.push(delivery);
  const { objectId } = delivery;
  if (objectId === null) return;
  const others = line.ofRecord.get(objectId) ?? 0;
  line.ofRecord.set(objectId, others + 1);
  if (others > 0) line.behind += 1;
}

/**
 * Takes the oldest whose record is free; whoever takes it calls `leave`. None if all wait for their record, or if that one needs
 * a later version of the endpoint.
 */
export function takeNext(line: Line, endpointVersion: number): WaitingDelivery | undefined {
  const { waiting, sending } = line;
  const i = waiting.findIndex(({ objectId }) => objectId === null || !sending.has(objectId));
  const next = waiting[i];
  if (!next || next.endpointVersion > endpointVersion) return undefined;
  if (i === 0) waiting.shift();
  else waiting.splice(i, 1);
  if (next.objectId !== null) sending.add(next.objectId);
  return next;
}

/** It was sent, or will not be: the next of its record may go. */
export function leave(line: Line, { objectId }: Pick<ClaimedDelivery, "objectId">): void {
  if (objectId === null) return;
  line.sending.delete(objectId);
  forget(line, objectId);
}

/** Empties the line of what waits. */
export function takeAll(line: Line): WaitingDelivery[] {
  for (const { objectId } of line.waiting) if (objectId !== null) forget(line, objectId);
  return line.waiting.splice(0);
}

function forget(line: Line, objectId: string): void {
  const left = (line.ofRecord.get(objectId) ?? 1) - 1;
  if (left > 0) {
    line.ofRecord.set(objectId, left);
    line.behind -= 1;
  } else line.ofRecord.delete(objectId);
}
