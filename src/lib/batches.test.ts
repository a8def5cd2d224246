import { expect, test } from "vitest";
import { batches } from "./batches.ts";

test("items that arrive while a batch is being stored form the next one", async () => {
  const stored: number[][] = [];
  const gate = Promise.withResolvers<void>();
  const { add } = batches<number>(async (items) => {
    stored.push(items);
    await gate.promise;
  });
  const first = [add(1), add(2)];
  await Promise.resolve();
  const second = [add(3), add(4)];
  gate.resolve();
  await Promise.all([...first, ...second]);
  expect(stored).toEqual([
    [1, 2],
    [3, 4],
  ]);
});

test("a batch holds no more than allowed, and flushing stores the rest at once", async () => {
  const stored: number[][] = [];
  const { add, flush } = batches<number>(async (items) => void stored.push(items), { mostItems: 2 });
  const added = [1, 2, 3, 4, 5].map(add);
  await flush();
  await Promise.all(added);
  expect(stored).toEqual([[1, 2], [3, 4], [5]]);
});

test("a batch that fails rejects its own items only", async () => {
  const { add } = batches<number>(
    async ([item]) => {
      if (item === 1) throw new Error("no");
    },
    { mostItems: 1 },
  );
  const [failed, stored] = [add(1), add(2)];
  await expect(failed).rejects.toThrow("no");
  await expect(stored).resolves.toBeUndefined();
});
