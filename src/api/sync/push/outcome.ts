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

/** A record that is kept as it came instead of being stored, and whether the service tries it again by itself. */
export interface Aside extends Outcome {
  status: "quarantined";
  code: string;
  reason: string;
  state: "refused" | "waiting";
}

export const applied: Outcome = { status: "applied" };
export const duplicate: Outcome = { status: "duplicate" };
export const parked: Outcome = { status: "parked" };

/** Quarantines an upload that would make its record too large, for example by adding movements again and again. */
export function tooLarge(body: object): Aside | undefined {
  if (Buffer.byteLength(renderBody(body)) <= maxStoredBytes) return undefined;
  return refused("RECORD_FULL", `el registro pasaría de ${maxStoredBytes / 1024} KiB con lo que ya tiene`);
}

/** The record's own content is to blame. */
export function refused(code: string, reason: string): Aside {
  return { status: "quarantined", code, reason, state: "refused" };
}

/** A fault of ours. */
export function waiting(): Aside {
  const reason = "No se pudo guardar por un fallo del servicio, no de la caja. Se vuelve a intentar solo, cada hora.";
  return { status: "quarantined", code: "SERVER_FAULT", reason, state: "waiting" };
}

export function isAside(outcome: Outcome): outcome is Aside {
  return outcome.status === "quarantined";
}
