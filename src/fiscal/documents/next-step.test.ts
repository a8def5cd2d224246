import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AuthorityResponse } from "../authority/authority.ts";
import { type AuthorityCall, nextCall, nextStep, type Progress, pollWaitsMs, retryWaitsMs } from "./next-step.ts";

const fresh: Progress = { state: "queued", doubt: false, failures: 0, polls: 0 };
const doubtful: Progress = { ...fresh, doubt: true };
const sent: Progress = { ...fresh, state: "sent", polls: 1 };
const unavailable: AuthorityResponse = { kind: "unavailable", message: "…" };
const unknown: AuthorityResponse = { kind: "unknown", message: "TrackId no existe" };
const processing: AuthorityResponse = { kind: "processing", message: "En proceso" };
const duplicate: AuthorityResponse = { kind: "duplicate", message: "Regla: 90" };

describe("the next call", () => {
  test("a document is sent only when the authority cannot have it", () => {
    expect(nextCall(fresh)).toBe("send");
    expect(nextCall(doubtful)).toBe("query");
    expect(nextCall(sent)).toBe("query");
    expect(nextCall({ ...fresh, state: "duplicate" })).toBe("query");
  });
});

describe("what a response means", () => {
  test("no response to a send leaves doubt; to a query, it changes nothing", () => {
    expect(nextStep(fresh, "send", unavailable)).toMatchObject({
      progress: { state: "queued", doubt: true, failures: 1 },
    });
    expect(nextStep(sent, "query", unavailable)).toMatchObject({
      progress: { state: "sent", doubt: false, failures: 1 },
    });
  });

  test("the waits grow while the authority does not respond, and start over when it does", () => {
    let progress = fresh;
    const waits = Array.from({ length: 12 }, () => {
      const step = nextStep(progress, nextCall(progress), unavailable);
      if (step.kind !== "wait") throw new Error("expected a wait");
      progress = step.progress;
      return step.waitMs;
    });
    expect(waits).toEqual([...retryWaitsMs, retryWaitsMs.at(-1), retryWaitsMs.at(-1)]);
    expect(nextStep(progress, "query", processing)).toMatchObject({
      progress: { failures: 0 },
      waitMs: pollWaitsMs[0],
    });
  });

  test("a document unknown to the authority is sent again at once when its send was in doubt", () => {
    expect(nextStep(doubtful, "query", unknown)).toMatchObject({
      progress: { state: "queued", doubt: false },
      waitMs: 0,
    });
  });

  test("while the authority takes queries but no documents, the sends get slower", () => {
    let progress = fresh;
    const waits: number[] = [];
    for (let i = 0; i < 8; i++) {
      const call = nextCall(progress);
      const step = nextStep(progress, call, call === "send" ? unavailable : unknown);
      if (step.kind !== "wait") throw new Error("expected a wait");
      if (call === "send") waits.push(step.waitMs);
      progress = step.progress;
    }
    expect(waits).toEqual(retryWaitsMs.slice(0, 4));
  });

  test("a document that the authority had and no longer knows is queried a few times before it is sent again", () => {
    expect(nextStep(sent, "query", unknown)).toMatchObject({ progress: { state: "sent", polls: 2 } });
    expect(nextStep({ ...sent, polls: 3 }, "query", unknown)).toMatchObject({
      progress: { state: "queued" },
      waitMs: 0,
    });
  });

  test("a number that the authority has under another code fails, and is not sent again", () => {
    const first = nextStep(fresh, "send", duplicate);
    expect(first).toMatchObject({ kind: "wait", waitMs: 0, progress: { state: "duplicate", polls: 0 } });
    const last = nextStep({ ...fresh, state: "duplicate", polls: 3 }, "query", unknown);
    expect(last).toMatchObject({ kind: "verdict", status: "emission_failed", code: "90" });
  });

  test("a fault while a send is in doubt keeps the doubt for the next try", () => {
    const fault: AuthorityResponse = { kind: "misconfigured", code: "401", message: "…" };
    expect(nextStep(doubtful, "query", fault)).toMatchObject({ status: "emission_failed", doubt: true });
    expect(nextStep(fresh, "send", fault)).toMatchObject({ status: "emission_failed", doubt: false });
  });
});

test("whatever the authority responds, in any order, a number it may have is never sent", () => {
  const response = fc.constantFrom<AuthorityResponse>(
    unavailable,
    unknown,
    processing,
    duplicate,
    { kind: "accepted", code: "00", message: null },
    { kind: "misconfigured", code: "89", message: "…" },
  );
  fc.assert(
    fc.property(fc.array(response, { maxLength: 40 }), (responses) => {
      let progress = fresh;
      let last: { call: AuthorityCall; response: AuthorityResponse } | undefined;
      for (const one of responses) {
        const call = nextCall(progress);
        // Before each send after the first, the authority said that it does not know the document.
        if (call === "send" && last) expect(last).toMatchObject({ call: "query", response: { kind: "unknown" } });
        const step = nextStep(progress, call, one);
        if (step.kind === "verdict") return;
        expect(step.waitMs).toBeGreaterThanOrEqual(0);
        progress = step.progress;
        last = { call, response: one };
      }
    }),
    { numRuns: 2000 },
  );
});
