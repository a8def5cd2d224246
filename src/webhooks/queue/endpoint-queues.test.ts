import { expect, test } from "vitest";
import type { ClaimedDelivery } from "./claim.ts";
import { addClaimed, newQueues, planClaims, recordsFreed, signal, takeWaiting } from "./endpoint-queues.ts";
import { leave, takeNext } from "./in-order.ts";

const key = (n: number) => ({ accountId: `account-${n}`, endpointId: `endpoint-${n}` });
const delivery = (n: number, at = 0): ClaimedDelivery => ({
  ...key(n),
  id: `${n}-${at}`,
  dueAt: new Date(at),
  createdAt: new Date(at),
  eventId: "event",
  eventType: "sale.created",
  objectId: null,
  requestId: null,
  isTest: false,
  attemptsInSeries: 0,
  endpointVersion: 1,
  eventText: null,
  testBody: null,
});

const claimed = (deliveries: ClaimedDelivery[], count = 0, records: string[] = []) => ({
  deliveries,
  held: new Map([["endpoint-1", { count, records }]]),
});

test("records of which something must wait are passed by until they are free", () => {
  const queues = newQueues();
  signal(queues, key(1));
  const own = { ...delivery(1), objectId: "a" };
  const [queue] = addClaimed(queues, planClaims(queues, 1), claimed([own], 31, ["a"]));
  const [next] = planClaims(queues, 1);
  expect(next).toMatchObject({ passed: ["a"], perRecord: 1 });
  addClaimed(queues, [next!], claimed([]));
  expect(planClaims(queues, 1)).toEqual([]);
  // It is still in the line.
  expect(recordsFreed(queues, [own])).toEqual([]);
  takeNext(queue!, 1);
  leave(queue!, own);
  expect(recordsFreed(queues, [{ ...own, endpointId: "endpoint-2" }, own])).toEqual([queue]);
  signal(queues, key(1));
  expect(planClaims(queues, 1)).toMatchObject([{ passed: [] }]);
});

test("a record that becomes free while a claim is under way is not passed by", () => {
  const queues = newQueues();
  signal(queues, key(1));
  const claims = planClaims(queues, 1);
  recordsFreed(queues, [{ ...delivery(1), objectId: "a" }]);
  addClaimed(queues, claims, claimed([], 1, ["a"]));
  expect(planClaims(queues, 1)).toMatchObject([{ passed: [] }]);
});

test("a queue that gave all it had is not claimed from again until a signal arrives", () => {
  const queues = newQueues();
  signal(queues, key(1));
  const claims = planClaims(queues, 10);
  expect(claims).toMatchObject([{ endpointId: "endpoint-1", size: 32 }]);
  addClaimed(queues, claims, claimed([delivery(1)]));
  expect(planClaims(queues, 10)).toEqual([]);
  signal(queues, key(1));
  expect(planClaims(queues, 10)).toHaveLength(1);
});

test("a signal that arrives while a claim is under way is not lost", () => {
  const queues = newQueues();
  signal(queues, key(1));
  const claims = planClaims(queues, 10);
  signal(queues, key(1));
  addClaimed(queues, claims, claimed([]));
  expect(planClaims(queues, 10)).toHaveLength(1);
});

test("queues are claimed from in rotation when not all of them fit into one claim", () => {
  const queues = newQueues();
  for (const n of [1, 2, 3]) signal(queues, key(n));
  const order = [1, 2, 3].map(() => {
    const claims = planClaims(queues, 1);
    addClaimed(
      queues,
      claims,
      claimed(Array.from({ length: 32 }, (_, at) => delivery(Number(claims[0]!.endpointId.slice(-1)), at))),
    );
    return claims[0]!.endpointId;
  });
  expect(order).toEqual(["endpoint-1", "endpoint-2", "endpoint-3"]);
});

test("waiting deliveries are sent oldest first, and can be given back", () => {
  const queues = newQueues();
  signal(queues, key(1));
  const [queue] = addClaimed(queues, planClaims(queues, 1), claimed([delivery(1, 3), delivery(1, 1), delivery(1, 2)]));
  expect(queue!.waiting.map(({ id }) => id)).toEqual(["1-1", "1-2", "1-3"]);
  expect(takeWaiting(queues)).toHaveLength(3);
  expect(queue!.waiting).toEqual([]);
  expect(planClaims(queues, 1)).toHaveLength(1);
});
