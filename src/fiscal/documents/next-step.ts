import { second } from "../../lib/clock.ts";
import { must } from "../../lib/must.ts";
import type { AuthorityResponse } from "../authority/authority.ts";

/** How far a document has come with the authority. */
export interface Progress {
  state: "queued" | "sent" | "duplicate";
  /** A send began, and it is not known whether it arrived. */
  doubt: boolean;
  failures: number;
  polls: number;
}

export type AuthorityCall = "send" | "query";

export type Step =
  | {
      kind: "verdict";
      status: "issued" | "rejected";
      code: string | null;
      message: string | null;
      cufe?: string;
      xml?: string;
    }
  | { kind: "verdict"; status: "emission_failed"; code: string | null; message: string; doubt: boolean }
  | { kind: "wait"; progress: Progress; waitMs: number; message: string | null; trackId?: string };

/** Three quick retries and then slower ones, as the annex requires while the authority is down. */
export const retryWaitsMs = [5, 5, 5, 30, 120, 120, 120, 120, 120, 600].map((seconds) => seconds * second);
/** A verdict usually takes two seconds; polling faster does not hurry one that takes minutes. */
export const pollWaitsMs = [2, 3, 6, 6, 15, 30, 60, 120, 120, 600].map((seconds) => seconds * second);
/** The authority's own records lag behind what it receives: "unknown" counts only after this many polls. */
const pollsToBelieve = 3;

/** A number is never sent while the authority may have it: doubt is settled by a query. */
export function nextCall({ state, doubt }: Progress): AuthorityCall {
  return state === "queued" && !doubt ? "send" : "query";
}

export function nextStep(progress: Progress, call: AuthorityCall, response: AuthorityResponse): Step {
  const { state, failures, polls } = progress;
  const settled = { ...progress, doubt: false, failures: 0 };
  switch (response.kind) {
    case "accepted":
    case "rejected": {
      const status = response.kind === "accepted" ? "issued" : "rejected";
      const { cufe, xml } = response.kind === "accepted" ? response : {};
      const verdict = { kind: "verdict", status, code: response.code, message: response.message } as const;
      return { ...verdict, ...(cufe && { cufe }), ...(xml && { xml }) };
    }
    case "misconfigured": {
      const { code, message } = response;
      return { kind: "verdict", status: "emission_failed", code, message, doubt: call === "query" && progress.doubt };
    }
    case "unavailable": {
      const next = { ...progress, doubt: progress.doubt || call === "send", failures: failures + 1 };
      return { kind: "wait", progress: next, waitMs: waitAt(retryWaitsMs, failures), message: response.message };
    }
    case "duplicate": {
      const next: Progress = { ...settled, state: "duplicate", polls: state === "duplicate" ? polls + 1 : 0 };
      const waitMs = state === "duplicate" ? waitAt(pollWaitsMs, polls) : 0;
      return { kind: "wait", progress: next, waitMs, message: response.message };
    }
    case "processing": {
      const next: Progress = { ...settled, state: "sent", polls: polls + 1 };
      const track = response.trackId === undefined ? {} : { trackId: response.trackId };
      return { kind: "wait", progress: next, waitMs: waitAt(pollWaitsMs, polls), message: response.message, ...track };
    }
    case "unknown":
      // In response to a send, it says nothing about the document just sent.
      return call === "send"
        ? nextStep(progress, call, { kind: "unavailable", message: response.message })
        : afterUnknown(progress, response.message);
  }
}

function afterUnknown(progress: Progress, message: string): Step {
  const { state, polls } = progress;
  // Failed sends stay counted: while the authority takes queries but no documents, the retries get slower.
  const again = { ...progress, polls: polls + 1 };
  if (state === "queued") return { kind: "wait", progress: { ...again, doubt: false, polls: 0 }, waitMs: 0, message };
  if (polls < pollsToBelieve) return { kind: "wait", progress: again, waitMs: waitAt(pollWaitsMs, polls), message };
  if (state === "sent")
    return { kind: "wait", progress: { ...again, state: "queued", doubt: false, polls: 0 }, waitMs: 0, message };
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
  return must(waitsMs[Math.min(times, waitsMs.length - 1)], "The place is within the list");
}
