import { expect, test } from "vitest";
import { limitConcurrency } from "./limit-concurrency.ts";

test("at most the allowed number of tasks run at once, and all run in the order they came", async () => {
  const run = limitConcurrency(2);
  const gates = Array.from({ length: 5 }, () => Promise.withResolvers<void>());
  const started: number[] = [];
  const done = gates.map((gate, i) =>
    run(async () => {
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
  const run = limitConcurrency(1);
  await expect(run(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await run(async () => "yes")).toBe("yes");
});
