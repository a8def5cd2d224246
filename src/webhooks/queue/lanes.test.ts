import { expect, test } from "vitest";
import type { Claimed } from "./claim.ts";
import { laneBook } from "./lanes.ts";

const lane = (n: number) => ({ accountId: `account-${n}`, endpointId: `endpoint-${n}` });
const delivery = (n: number, at = 0): Claimed => ({
  ...lane(n),
  id: `${n}-${at}`,
  dueAt: new Date(at),
  createdAt: new Date(at),
  eventId: "event",
  eventType: "sale.created",
  requestId: null,
  isTest: false,
  attemptsInSeries: 0,
  endpointVersion: 1,
  eventText: null,
  testBody: null,
});

test("a lane that gave all it had is not asked again until there is news", () => {
  const book = laneBook();
  book.expect(lane(1));
  const claims = book.claims(10);
  expect(claims).toMatchObject([{ endpointId: "endpoint-1", size: 32 }]);
  book.take(claims, [delivery(1)]);
  expect(book.claims(10)).toEqual([]);
  book.expect(lane(1));
  expect(book.claims(10)).toHaveLength(1);
});

test("news that arrives while a claim is under way is not lost", () => {
  const book = laneBook();
  book.expect(lane(1));
  const claims = book.claims(10);
  book.expect(lane(1));
  book.take(claims, []);
  expect(book.claims(10)).toHaveLength(1);
});

test("lanes take turns when not all of them fit into one claim", () => {
  const book = laneBook();
  for (const n of [1, 2, 3]) book.expect(lane(n));
  const turns = [1, 2, 3].map(() => {
    const claims = book.claims(1);
    book.take(
      claims,
      Array.from({ length: 32 }, (_, at) => delivery(Number(claims[0]!.endpointId.slice(-1)), at)),
    );
    return claims[0]!.endpointId;
  });
  expect(turns).toEqual(["endpoint-1", "endpoint-2", "endpoint-3"]);
});

test("what waits is sent oldest first, and can be given back", () => {
  const book = laneBook();
  book.expect(lane(1));
  const [state] = book.take(book.claims(1), [delivery(1, 3), delivery(1, 1), delivery(1, 2)]);
  expect(state!.waiting.map(({ id }) => id)).toEqual(["1-1", "1-2", "1-3"]);
  expect(book.giveUpWaiting()).toHaveLength(3);
  expect(state!.waiting).toEqual([]);
  expect(book.claims(1)).toHaveLength(1);
});
