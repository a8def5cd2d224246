import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { addTaker, deliver, onUntaken, type ScanTaker } from "./scanner.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

function taker(answer: "pass" | undefined): ScanTaker & { taken: string[] } {
  const taken: string[] = [];
  return {
    taken,
    take(code) {
      taken.push(code);
      return answer;
    },
  };
}

function told(): { codes: string[]; stop: () => void } {
  const codes: string[] = [];
  return { codes, stop: onUntaken((code) => codes.push(code)) };
}

test("a scan between two screens is taken by the one that comes, the last of those that come together, and is not told", async () => {
  const heard = told();
  deliver("7701");
  deliver("7702");
  await vi.advanceTimersByTimeAsync(900);
  const [below, above] = [taker(undefined), taker(undefined)];
  const leave = [addTaker(below), addTaker(above)];
  await vi.advanceTimersByTimeAsync(5_000);
  expect(above.taken).toEqual(["7701", "7702"]);
  expect(below.taken).toEqual([]);
  expect(heard.codes).toEqual([]);
  for (const one of leave) one();
  heard.stop();
});

test("a scan that nobody takes within a second is told once, and is not delivered afterwards", async () => {
  const heard = told();
  const passing = taker("pass");
  const leave = addTaker(passing);
  deliver("7701");
  await vi.advanceTimersByTimeAsync(600);
  // Another that passes it on does not prolong the second.
  const leaveOther = addTaker(taker("pass"));
  await vi.advanceTimersByTimeAsync(399);
  expect(heard.codes).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(heard.codes).toEqual(["7701"]);
  const late = taker(undefined);
  const leaveLate = addTaker(late);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(late.taken).toEqual([]);
  expect(heard.codes).toEqual(["7701"]);
  for (const one of [leave, leaveOther, leaveLate, heard.stop]) one();
});
