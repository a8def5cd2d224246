import { expect, test } from "vitest";
import { join, leave, newLine, takeAll, takeNext, type WaitingDelivery } from "./in-order.ts";

function lineOf(...names: string[]) {
  const line = newLine();
  for (const name of names) {
    const objectId = name.startsWith("-") ? null : name[0]!;
    join(line, { id: name, objectId, endpointVersion: 1 } as WaitingDelivery);
  }
  return { line, take: () => takeNext(line, 1) };
}

test("of one record one is sent at a time, and others pass by", () => {
  const { line, take } = lineOf("a1", "a2", "b1", "a3", "-");
  const first = take()!;
  expect(first.id).toBe("a1");
  expect([take()?.id, take()?.id, take()]).toEqual(["b1", "-", undefined]);
  expect(line.behind).toBe(2);
  leave(line, first);
  const second = take()!;
  expect([second.id, take()]).toEqual(["a2", undefined]);
  leave(line, second);
  expect([take()?.id, line.behind, line.waiting]).toEqual(["a3", 0, []]);
});

test("what waits can be taken out while something of the same record is being sent", () => {
  const { line, take } = lineOf("a1", "a2", "a3", "b1");
  const sent = take()!;
  expect(takeAll(line).map(({ id }) => id)).toEqual(["a2", "a3", "b1"]);
  expect([line.behind, [...line.ofRecord]]).toEqual([0, [["a", 1]]]);
  leave(line, sent);
  expect([line.sending.size, line.ofRecord.size]).toEqual([0, 0]);
});

test("one that needs newer secrets waits for them", () => {
  const { line } = lineOf("a1");
  expect(takeNext(line, 0)).toBeUndefined();
  expect(takeNext(line, 1)?.id).toBe("a1");
});
