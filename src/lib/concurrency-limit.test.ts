import { expect, test } from "vitest";
import { concurrencyLimit, turnsByKey } from "./concurrency-limit.ts";

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

test("of each key one task runs at a time, and the keys take turns", async () => {
  const inTurns = turnsByKey(2);
  const started: string[] = [];
  const gates = new Map<string, () => void>();
  const tasks = ["a1", "a2", "a3", "b1", "c1", "b2"].map((name) => ({
    name,
    done: inTurns(name[0]!, () => {
      started.push(name);
      return new Promise<void>((resolve) => gates.set(name, resolve));
    }),
  }));
  const endsThenStarts = async (ended: string, ...next: string[]) => {
    const before = started.length;
    gates.get(ended)!();
    await tasks.find(({ name }) => name === ended)!.done;
    await expect.poll(() => started.slice(before)).toEqual(next);
  };
  await expect.poll(() => started).toEqual(["a1", "b1"]);
  await endsThenStarts("a1", "c1");
  await endsThenStarts("b1", "a2");
  await endsThenStarts("c1", "b2");
  await endsThenStarts("b2");
  await endsThenStarts("a2", "a3");
  await endsThenStarts("a3");
});

test("a task that fails ends its turn", async () => {
  const inTurns = turnsByKey(1);
  await expect(inTurns("a", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await inTurns("a", async () => "yes")).toBe("yes");
});
