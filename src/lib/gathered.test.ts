import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { gathered } from "./gathered.ts";

/** Looks up keys by calls that end when the test says so. */
function lookUps() {
  const calls: { keys: readonly string[]; end(found: Map<string, string>): void; fail(error: Error): void }[] = [];
  const lookUp = gathered<string>(
    (keys) => new Promise((resolve, reject) => calls.push({ keys, end: resolve, fail: reject })),
  );
  return { calls, lookUp };
}

const all = (keys: readonly string[]) => new Map(keys.map((key) => [key, `value of ${key}`]));

test("the first starts at once, and what is asked for meanwhile goes together in the next, each key once", async () => {
  const { calls, lookUp } = lookUps();
  const first = lookUp("a");
  expect(calls.map(({ keys }) => keys)).toEqual([["a"]]);
  const others = ["b", "c", "b", "a"].map(lookUp);
  expect(calls).toHaveLength(1);
  calls[0]!.end(all(["a"]));
  expect(await first).toBe("value of a");
  await expect.poll(() => calls.length).toBe(2);
  // "a" again: the answer of the call before may be older than the question.
  expect(calls[1]!.keys).toEqual(["b", "c", "a"]);
  calls[1]!.end(all(["b"]));
  expect(await Promise.all(others)).toEqual(["value of b", undefined, "value of b", undefined]);
});

test("a call takes a thousand keys, and one that fails fails for its own keys only", async () => {
  const { calls, lookUp } = lookUps();
  const first = lookUp("first");
  const others = Array.from({ length: 1_500 }, (_, i) => lookUp(`key ${i}`));
  calls[0]!.fail(new Error("no database"));
  await expect(first).rejects.toThrow("no database");
  for (const [i, size] of [1_000, 500].entries()) {
    await expect.poll(() => calls[i + 1]?.keys.length).toBe(size);
    calls[i + 1]!.end(all(calls[i + 1]!.keys));
  }
  expect(await Promise.all(others)).toEqual(Array.from({ length: 1_500 }, (_, i) => `value of key ${i}`));
});

test("a call that does not end holds up nobody, and four at most run at once", async () => {
  const { calls, lookUp } = lookUps();
  void lookUp("stuck");
  for (let i = 1; i < 4; i++) {
    void lookUp(`stuck ${i}`);
    await expect.poll(() => calls.length).toBe(i + 1);
  }
  const last = lookUp("last");
  await delay(200);
  expect(calls).toHaveLength(4);
  calls[2]!.end(new Map());
  await expect.poll(() => calls.length).toBe(5);
  calls[4]!.end(all(["last"]));
  expect(await last).toBe("value of last");
});
