import { stripVTControlCharacters } from "node:util";
import { pino } from "pino";
import { expect, test } from "vitest";
import { describeError } from "./describe-error.ts";
import { readableLine } from "./readable-log.ts";

function logged(act: (log: pino.Logger) => void): string {
  let text = "";
  const write = (line: string) => (text += readableLine(line));
  act(pino({ base: null, serializers: { err: describeError } }, { write }));
  return stripVTControlCharacters(text);
}

test("a line on a terminal has the time, the level, the message and its fields", () => {
  const line = logged((log) => log.info({ status: 200, path: "/a b", dropped: ["x", "y"] }, "request"));
  expect(line).toMatch(/^\d\d:\d\d:\d\d INFO {2}request status=200 path="\/a b" dropped=\["x","y"\]\n$/);
});

test("an error is printed on separate lines", () => {
  const lines = logged((log) => log.error({ err: new Error("no hay sitio") }, "not written")).split("\n");
  expect(lines[0]).toMatch(/ERROR not written$/);
  expect(lines[1]).toMatch(/^ {2}.*no hay sitio/);
});

test("a line without a message or with an unknown level is still shown", () => {
  expect(logged((log) => log.warn({ a: 1 }))).toMatch(/WARN {3}a=1\n$/);
  expect(readableLine('{"level":35,"time":0,"msg":"x"}')).toContain("35");
});
