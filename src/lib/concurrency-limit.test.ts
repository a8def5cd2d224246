import { expect, test } from "vitest";
import { concurrencyLimit } from "./concurrency-limit.ts";

test("no more tasks than allowed run at once, and all of them run in the order they came", async () => {
  const limited = concurrencyLimit(2);
  const gates = Array.from({ length: 5 }, () => Promise.withResolvers<void>());
  const started: number[] = [];
  const done = gates.map((gate, i) =>
    limited(async () => {
      started.push(i);
      await gate.promise;
    }),
  );
  expect(started).toEqual([0, 1]);
  gates[1]!.resolve();
  await done[1];
  expect(started).toEqual([0, 1, 2]);
  for (const gate of gates) gate.resolve();
  await Promise.all(done);
  expect(started).toEqual([0, 1, 2, 3, 4]);
});

test("a task that fails frees its slot", async () => {
  const limited = concurrencyLimit(1);
  await expect(limited(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await limited(async () => "yes")).toBe("yes");
});
