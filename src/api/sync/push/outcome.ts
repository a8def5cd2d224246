import { renderBody } from "../../../engine/resources/resource.ts";
import { maxStoredBytes, type PushStatus } from "../protocol.ts";

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

/** The answer to an upload that would make its record too large, as movements or variants added again and again do. */
export function tooLarge(body: object): Outcome | undefined {
  if (Buffer.byteLength(renderBody(body)) <= maxStoredBytes) return undefined;
  return quarantined("RECORD_FULL", `el registro pasaría de ${maxStoredBytes / 1024} KiB con lo que ya tiene`);
}

export function quarantined(code: string, reason: string): Outcome {
  return { status: "quarantined", code, reason };
}
