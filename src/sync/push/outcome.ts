import type { PushStatus } from "../protocol.ts";

/** What became of one record. */
export interface Outcome {
  status: PushStatus;
  code?: string;
  /** The canonical record, where the register's differs. */
  record?: unknown;
  /** Why it could not be read, where it was set aside. */
  reason?: string;
}

export const applied: Outcome = { status: "applied" };
export const duplicate: Outcome = { status: "duplicate" };
export const parked: Outcome = { status: "parked" };

export function quarantined(code: string, reason: string): Outcome {
  return { status: "quarantined", code, reason };
}
