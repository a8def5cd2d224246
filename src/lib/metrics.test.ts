import { expect, test } from "vitest";
import { newMetrics } from "./metrics.ts";

test("each set of labels has one series", async () => {
  const metrics = newMetrics();
  metrics.counter("calls_total", "Calls.", { status: "200" }).value += 2;
  metrics.counter("calls_total", "Calls.", { status: "200" }).value += 1;
  metrics.counter("calls_total", "Calls.", { status: "404" }).value += 1;
  expect(await metrics.render()).toBe(
    '# HELP calls_total Calls.\n# TYPE calls_total counter\ncalls_total{status="200"} 3\ncalls_total{status="404"} 1\n',
  );
});

test("a histogram's bounds are inclusive", async () => {
  const metrics = newMetrics();
  const histogram = metrics.histogram("took_seconds", "Time.", [0.1, 1], { kind: "list" });
  for (const seconds of [0.05, 0.1, 0.5, 7]) histogram.observe(seconds);
  expect((await metrics.render()).split("\n").slice(2, -1)).toEqual([
    'took_seconds_bucket{kind="list",le="0.1"} 2',
    'took_seconds_bucket{kind="list",le="1"} 3',
    'took_seconds_bucket{kind="list",le="+Inf"} 4',
    'took_seconds_sum{kind="list"} 7.65',
    'took_seconds_count{kind="list"} 4',
  ]);
});

test("a collector that fails does not stop the others", async () => {
  const metrics = newMetrics();
  metrics.collect(() => Promise.reject(new Error("the database is away")));
  metrics.collect(() => {
    throw new Error("so is this");
  });
  const remove = metrics.collect(() => [{ name: "up", help: "Up.", labels: { who: 'a "b"\\\n' }, value: 1 }]);
  expect(await metrics.render()).toBe('# HELP up Up.\n# TYPE up gauge\nup{who="a \\"b\\"\\\\\\n"} 1\n');
  remove();
  expect(await metrics.render()).toBe("\n");
});
