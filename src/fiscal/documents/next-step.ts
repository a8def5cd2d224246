import { second } from "../../lib/clock.ts";
import type { Answer } from "../authority/authority.ts";

/** Where a document stands between us and the authority. */
export interface Standing {
  state: "queued" | "sent" | "duplicate";
  /** A send began whose outcome nobody knows. */
  doubt: boolean;
  failures: number;
  polls: number;
}

export type Ask = "send" | "query";

export type Step =
  | { kind: "verdict"; status: "issued" | "rejected"; code: string | null; message: string | null; cufe?: string }
  | { kind: "verdict"; status: "emission_failed"; code: string | null; message: string; doubt: boolean }
  | { kind: "wait"; standing: Standing; waitMs: number; message: string | null; trackId?: string };

/** Three quick retries and then patience, as the annex asks of whoever finds the authority down. */
export const retryWaitsMs = [5, 5, 5, 30, 120, 120, 120, 120, 120, 600].map((seconds) => seconds * second);
/** A verdict usually takes two seconds; one that takes minutes is not hurried by asking. */
export const pollWaitsMs = [2, 3, 6, 6, 15, 30, 60, 120, 120, 600].map((seconds) => seconds * second);
/** The authority's own records lag behind its door: it is believed only when it says the same thing again. */
const polledEnough = 3;

/** A number is never sent while somebody may hold it: doubt is settled by asking. */
export function nextAsk({ state, doubt }: Standing): Ask {
  return state === "queued" && !doubt ? "send" : "query";
}

/** What the answer to the last question means for the document. */
export function nextStep(standing: Standing, ask: Ask, answer: Answer): Step {
  const { state, failures, polls } = standing;
  const settled = { ...standing, doubt: false, failures: 0 };
  switch (answer.kind) {
    case "accepted":
    case "rejected": {
      const status = answer.kind === "accepted" ? "issued" : "rejected";
      const cufe = answer.kind === "accepted" ? answer.cufe : undefined;
      return { kind: "verdict", status, code: answer.code, message: answer.message, ...(cufe && { cufe }) };
    }
    case "misconfigured": {
      const { code, message } = answer;
      return { kind: "verdict", status: "emission_failed", code, message, doubt: ask === "query" && standing.doubt };
    }
    case "unavailable": {
      const next = { ...standing, doubt: standing.doubt || ask === "send", failures: failures + 1 };
      return { kind: "wait", standing: next, waitMs: waitAt(retryWaitsMs, failures), message: answer.message };
    }
    case "duplicate": {
      const next: Standing = { ...settled, state: "duplicate", polls: state === "duplicate" ? polls + 1 : 0 };
      const waitMs = state === "duplicate" ? waitAt(pollWaitsMs, polls) : 0;
      return { kind: "wait", standing: next, waitMs, message: answer.message };
    }
    case "processing": {
      const next: Standing = { ...settled, state: "sent", polls: polls + 1 };
      const track = answer.trackId === undefined ? {} : { trackId: answer.trackId };
      return { kind: "wait", standing: next, waitMs: waitAt(pollWaitsMs, polls), message: answer.message, ...track };
    }
    case "unknown":
      // Said of a document that was just handed over, it says nothing.
      return ask === "send"
        ? nextStep(standing, ask, { kind: "unavailable", message: answer.message })
        : afterUnknown(standing, answer.message);
  }
}

function afterUnknown(standing: Standing, message: string): Step {
  const { state, polls } = standing;
  // Failed sends are still counted: a door that lets questions in and documents not is knocked at ever more slowly.
  const again = { ...standing, polls: polls + 1 };
  if (state === "queued") return { kind: "wait", standing: { ...again, doubt: false, polls: 0 }, waitMs: 0, message };
  if (polls < polledEnough) return { kind: "wait", standing: again, waitMs: waitAt(pollWaitsMs, polls), message };
  if (state === "sent")
    return { kind: "wait", standing: { ...again, state: "queued", doubt: false, polls: 0 }, waitMs: 0, message };
  return {
    kind: "verdict",
    status: "emission_failed",
    code: "90",
    message:
      "La DIAN ya tiene este número con otro código (CUFE o CUDE). Revise el rango de numeración y el PIN o la clave técnica.",
    doubt: false,
  };
}

function waitAt(waitsMs: readonly number[], times: number): number {
  return waitsMs[Math.min(times, waitsMs.length - 1)]!;
}
