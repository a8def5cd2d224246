import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Answer } from "../authority/authority.ts";
import { type Ask, nextAsk, nextStep, pollWaitsMs, retryWaitsMs, type Standing } from "./next-step.ts";

const fresh: Standing = { state: "queued", doubt: false, failures: 0, polls: 0 };
const doubtful: Standing = { ...fresh, doubt: true };
const sent: Standing = { ...fresh, state: "sent", polls: 1 };
const unavailable: Answer = { kind: "unavailable", message: "…" };
const unknown: Answer = { kind: "unknown", message: "TrackId no existe" };
const processing: Answer = { kind: "processing", message: "En proceso" };
const duplicate: Answer = { kind: "duplicate", message: "Regla: 90" };

describe("what is asked next", () => {
  test("a document is sent only when nobody may hold it", () => {
    expect(nextAsk(fresh)).toBe("send");
    expect(nextAsk(doubtful)).toBe("query");
    expect(nextAsk(sent)).toBe("query");
    expect(nextAsk({ ...fresh, state: "duplicate" })).toBe("query");
  });
});

describe("what an answer means", () => {
  test("no answer to a send leaves doubt; to a query, what was before", () => {
    expect(nextStep(fresh, "send", unavailable)).toMatchObject({
      standing: { state: "queued", doubt: true, failures: 1 },
    });
    expect(nextStep(sent, "query", unavailable)).toMatchObject({
      standing: { state: "sent", doubt: false, failures: 1 },
    });
  });

  test("the waits grow while nobody answers, and begin anew when somebody does", () => {
    let standing = fresh;
    const waits = Array.from({ length: 12 }, () => {
      const step = nextStep(standing, nextAsk(standing), unavailable);
      if (step.kind !== "wait") throw new Error("it waits");
      standing = step.standing;
      return step.waitMs;
    });
    expect(waits).toEqual([...retryWaitsMs, retryWaitsMs.at(-1), retryWaitsMs.at(-1)]);
    expect(nextStep(standing, "query", processing)).toMatchObject({
      standing: { failures: 0 },
      waitMs: pollWaitsMs[0],
    });
  });

  test("a document that the authority does not know is sent again at once when its send was in doubt", () => {
    expect(nextStep(doubtful, "query", unknown)).toMatchObject({
      standing: { state: "queued", doubt: false },
      waitMs: 0,
    });
  });

  test("a door that lets questions in and documents not is knocked at ever more slowly", () => {
    let standing = fresh;
    const waits: number[] = [];
    for (let i = 0; i < 8; i++) {
      const ask = nextAsk(standing);
      const step = nextStep(standing, ask, ask === "send" ? unavailable : unknown);
      if (step.kind !== "wait") throw new Error("it waits");
      if (ask === "send") waits.push(step.waitMs);
      standing = step.standing;
    }
    expect(waits).toEqual(retryWaitsMs.slice(0, 4));
  });

  test("a document that it had and does not know any more is asked for a few times before it is sent again", () => {
    expect(nextStep(sent, "query", unknown)).toMatchObject({ standing: { state: "sent", polls: 2 } });
    expect(nextStep({ ...sent, polls: 3 }, "query", unknown)).toMatchObject({
      standing: { state: "queued" },
      waitMs: 0,
    });
  });

  test("a number that it has under another code fails, and is not sent again", () => {
    const first = nextStep(fresh, "send", duplicate);
    expect(first).toMatchObject({ kind: "wait", waitMs: 0, standing: { state: "duplicate", polls: 0 } });
    const last = nextStep({ ...fresh, state: "duplicate", polls: 3 }, "query", unknown);
    expect(last).toMatchObject({ kind: "verdict", status: "emission_failed", code: "90" });
  });

  test("a fault while a send is in doubt keeps the doubt for whoever tries again", () => {
    const fault: Answer = { kind: "misconfigured", code: "401", message: "…" };
    expect(nextStep(doubtful, "query", fault)).toMatchObject({ status: "emission_failed", doubt: true });
    expect(nextStep(fresh, "send", fault)).toMatchObject({ status: "emission_failed", doubt: false });
  });
});

test("whatever the authority says, in any order, a number it may have is never sent", () => {
  const answer = fc.constantFrom<Answer>(
    unavailable,
    unknown,
    processing,
    duplicate,
    { kind: "accepted", code: "00", message: null },
    { kind: "misconfigured", code: "89", message: "…" },
  );
  fc.assert(
    fc.property(fc.array(answer, { maxLength: 40 }), (answers) => {
      let standing = fresh;
      let last: { ask: Ask; answer: Answer } | undefined;
      for (const one of answers) {
        const ask = nextAsk(standing);
        // Before each send after the first, somebody said that the document is not there.
        if (ask === "send" && last) expect(last).toMatchObject({ ask: "query", answer: { kind: "unknown" } });
        const step = nextStep(standing, ask, one);
        if (step.kind === "verdict") return;
        expect(step.waitMs).toBeGreaterThanOrEqual(0);
        standing = step.standing;
        last = { ask, answer: one };
      }
    }),
    { numRuns: 2000 },
  );
});
