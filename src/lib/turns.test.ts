import { expect, test } from "vitest";
import { turns } from "./turns.ts";

test("no more works than allowed run at once, and all of them run in the order they came", async () => {
  const inTurn = turns(2);
  const gates = Array.from({ length: 5 }, () => Promise.withResolvers<void>());
  const started: number[] = [];
  const done = gates.map((gate, i) =>
    inTurn(async () => {
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

test("a work that fails frees its turn", async () => {
  const inTurn = turns(1);
  await expect(inTurn(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await inTurn(async () => "yes")).toBe("yes");
});
