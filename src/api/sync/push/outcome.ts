import { renderBody } from "../../../engine/resources/resource.ts";
import { maxStoredBytes, type PushStatus } from "../protocol.ts";

/** The outcome of one uploaded record. */
export interface Outcome {
  status: PushStatus;
  code?: string;
  /** The server's record, if the register's differs. */
  record?: unknown;
  /** Why it was quarantined. */
  reason?: string;
}

export const applied: Outcome = { status: "applied" };
export const duplicate: Outcome = { status: "duplicate" };
export const parked: Outcome = { status: "parked" };

/** Quarantines an upload that would make its record too large, for example by adding movements again and again. */
export function tooLarge(body: object): Outcome | undefined {
  if (Buffer.byteLength(renderBody(body)) <= maxStoredBytes) return undefined;
  return quarantined("RECORD_FULL", `el registro pasaría de ${maxStoredBytes / 1024} KiB con lo que ya tiene`);
}

export function quarantined(code: string, reason: string): Outcome {
  return { status: "quarantined", code, reason };
}
