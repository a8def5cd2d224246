import { expect, test } from "vitest";
import { hour, minute } from "../../lib/clock.ts";
import { decideReset, type PastReset } from "./decide-reset.ts";

const now = new Date("2026-11-16T12:00:00Z");
const ago = (ms: number) => new Date(now.getTime() - ms);
const source = { name: "address 203.0.113.7", isKnown: false };
const device = { name: "device a", isKnown: true };

/** A code that was mailed `ms` ago, valid for ten minutes from then. */
function past(ms: number, other: Partial<PastReset> = {}): PastReset {
  const at = ago(ms);
  const expires_at = new Date(at.getTime() + 10 * minute);
  const plain = { id: `${ms}`, source: source.name, created_at: at, expires_at, attempts: 0, used_at: null };
  return { ...plain, mails: 1, mailed_at: at, ...other };
}
const many = (count: number, make: (n: number) => PastReset) => Array.from({ length: count }, (_, n) => make(n + 1));

test("the first code is new, and so is one after the last expired, was used or ran out of tries", () => {
  const fresh = { kind: "new", sendsMail: true };
  expect(decideReset([], source, now)).toEqual(fresh);
  for (const over of [past(11 * minute), past(1, { used_at: now }), past(1, { attempts: 5 })])
    expect(decideReset([over], source, now)).toEqual(fresh);
});

test("a valid code is sent again, at most once a minute", () => {
  expect(decideReset([past(30_000)], source, now)).toEqual({ kind: "repeat", id: "30000", sendsMail: false });
  expect(decideReset([past(61_000)], source, now)).toEqual({ kind: "repeat", id: "61000", sendsMail: true });
});

test("after five codes in a day the last one is extended, unless it ran out of tries", () => {
  const five = many(5, (n) => past(n * hour));
  expect(decideReset(five, source, now)).toEqual({ kind: "repeat", id: String(hour), sendsMail: true });
  const guessed = five.map((one) => ({ ...one, attempts: 5 }));
  expect(decideReset(guessed, source, now)).toEqual({ kind: "refuse", until: ago(-19 * hour) });
});

test("one source gets eight mails a day; the code stays valid without more", () => {
  expect(decideReset([past(5 * minute, { mails: 8 })], source, now)).toMatchObject({
    kind: "repeat",
    sendsMail: false,
  });
});

test("sources do not share codes, and unknown sources use up their common limit but not that of a known browser", () => {
  const other = { source: "address 203.0.113.8" };
  expect(decideReset([past(1, other)], source, now)).toEqual({ kind: "new", sendsMail: true });
  const crowd = many(20, (n) => past(n * 11 * minute, { source: `address 198.51.100.${n}`, mails: 2 }));
  expect(decideReset(crowd, source, now)).toEqual({ kind: "repeat", id: String(11 * minute), sendsMail: false });
  expect(decideReset(crowd, device, now)).toEqual({ kind: "new", sendsMail: true });
  const burnt = crowd.map((one) => ({ ...one, attempts: 5 }));
  expect(decideReset(burnt, source, now)).toEqual({ kind: "refuse", until: ago(220 * minute - 24 * hour) });
});
