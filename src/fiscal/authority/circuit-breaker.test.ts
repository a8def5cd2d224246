import { expect, test } from "vitest";
import { minute, second } from "../../lib/clock.ts";
import { newCircuitBreaker } from "./circuit-breaker.ts";

const at = (ms: number) => new Date(1_800_000_000_000 + ms);

function afterFailures(failures = 8) {
  const circuit = newCircuitBreaker();
  for (let i = 0; i < failures; i++) circuit.record(false, at(0));
  return circuit;
}

test("calls are not limited while some of them succeed", () => {
  const circuit = afterFailures(7);
  circuit.record(true, at(0));
  for (let i = 0; i < 7; i++) circuit.record(false, at(0));
  expect(circuit.allows(at(0), 100, 3)).toBe(100);
});

test("after eight failures in a row no call starts for five seconds, and then one does", () => {
  const circuit = afterFailures();
  expect(circuit.allows(at(4.9 * second), 100, 0)).toBe(0);
  expect(circuit.allows(at(5 * second), 100, 0)).toBe(1);
  expect(circuit.allows(at(5 * second), 100, 1)).toBe(0);
});

test("each failed probe doubles the wait, up to two minutes", () => {
  const circuit = afterFailures();
  let now = 0;
  const waits: number[] = [];
  for (let i = 0; i < 7; i++) {
    const from = now;
    while (circuit.allows(at(now), 100, 0) === 0) now += second;
    waits.push((now - from) / second);
    circuit.record(false, at(now));
  }
  expect(waits).toEqual([5, 10, 20, 40, 80, 120, 120]);
  expect((2 * minute) / second).toBe(waits.at(-1));
});

test("calls in flight when it went down do not make the wait longer", () => {
  const circuit = afterFailures(100);
  expect(circuit.allows(at(5 * second), 100, 0)).toBe(1);
});

test("one success lifts the limit", () => {
  const circuit = afterFailures();
  circuit.record(true, at(5 * second));
  expect(circuit.allows(at(5 * second), 100, 0)).toBe(100);
});
